import { ApiProblem } from '@bi-manager/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CsvFault } from './csv-file.ts'
import type { Preview } from './import-preview.tsx'
import type { PreviewLine } from './preview-lines.tsx'

let chosenFiles = 0

export type Chosen<C> = C & {
  name: string
  /** Tells one choice from the next in the cache's key, which must hold nobody's data. */
  number: number
}

/** The file that was chosen, as `parse` reads it, or why it cannot be read. */
export const useChosenFile = <C>(parse: (file: File) => Promise<C>) => {
  const [file, setFile] = useState<Chosen<C>>()
  const [fault, setFault] = useState<string>()
  const choose = async (chosen: File) => {
    setFault(undefined)
    try {
      const read = await parse(chosen)
      chosenFiles += 1
      setFile({ ...read, name: chosen.name, number: chosenFiles })
    } catch (error) {
      setFault(error instanceof CsvFault ? error.message : 'O arquivo não pôde ser lido. Escolha-o de novo.')
    }
  }
  return { file, fault, choose: (chosen: File) => void choose(chosen), clear: () => setFile(undefined) }
}

interface ImportRunOptions<L, P extends PreviewLine> {
  /** Names the lines without saying what they hold; undefined while there are none. */
  key: readonly unknown[] | undefined
  lines: L[]
  preview: (lines: L[], signal: AbortSignal) => Promise<Preview<P>>
  send: (lines: L[]) => Promise<{ cadastrados: number }>
  /** It was written, or may have been. */
  onImported: () => void
}

/** The server's judgement of the lines, and their import. */
export const useImportRun = <L, P extends PreviewLine>(options: ImportRunOptions<L, P>) => {
  const { key, lines, onImported } = options
  /** An answer was lost: the lines may be written. */
  const [isUnknown, setUnknown] = useState(false)
  const preview = useQuery({
    queryKey: key ?? [],
    queryFn: ({ signal }) => options.preview(lines, signal),
    enabled: key !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const importing = useMutation({
    mutationFn: () => options.send(lines),
    networkMode: 'always',
    // The lines are people's data, and may carry passwords.
    gcTime: 0,
    onSuccess: onImported,
    onError: (error) => {
      if (isAnswerLost(error)) {
        setUnknown(true)
        onImported()
      }
      // Somebody took an id meanwhile, or all lines were written after all: the preview says which.
      void preview.refetch()
    },
  })
  return {
    preview,
    importing,
    isUnknown,
    reset: () => {
      importing.reset()
      setUnknown(false)
    },
  }
}

/** Whether the server may have done what was asked although no answer of its own came: the network, or a proxy that gave up. */
export const isAnswerLost = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || (error.status >= 500 && error.codigo === 'resposta_invalida')
