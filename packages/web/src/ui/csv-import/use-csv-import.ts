import { ApiProblem } from '@bi-manager/contract'
// biome-ignore lint/style/noRestrictedImports: the file chosen last replaces the others
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { CsvImportError } from './csv-file.ts'
import type { Preview, PreviewLine } from './preview-lines.tsx'

let chosenFiles = 0

type Chosen<C> = C & {
  name: string
  /** Identifies the choice in the query key, which must not contain personal data. */
  number: number
}

/** Holds the chosen file as parsed by `parse`, or the reason why it cannot be read. */
export const useChosenFile = <C>(parse: (file: File) => Promise<C>) => {
  const { data, error, mutate, reset } = useMutation({
    mutationFn: async (file: File): Promise<Chosen<C>> => {
      const read = await parse(file)
      chosenFiles += 1
      return { ...read, name: file.name, number: chosenFiles }
    },
    // The lines are personal data and may contain passwords.
    gcTime: 0,
  })
  const unreadable = 'O arquivo não pôde ser lido. Escolha-o de novo.'
  const fault = error ? (error instanceof CsvImportError ? error.message : unreadable) : undefined
  return { file: data, fault, choose: mutate, clear: reset }
}

interface ImportRunOptions<L, P extends PreviewLine> {
  /** Identifies the lines without containing them; undefined while there are none. */
  key: readonly unknown[] | undefined
  lines: L[]
  preview: (lines: L[], signal: AbortSignal) => Promise<Preview<P>>
  send: (lines: L[]) => Promise<{ cadastrados: number }>
  /** Called when the lines were written, or may have been. */
  onImported: () => void
}

/** Validates the lines on the server and imports them. */
export const useImportRun = <L, P extends PreviewLine>(options: ImportRunOptions<L, P>) => {
  const { key, lines, onImported } = options
  /** An answer was lost, so the lines may have been written. */
  const [isUnknown, setUnknown] = useState(false)
  const preview = useQuery({
    queryKey: key ?? [],
    queryFn: ({ signal }) => options.preview(lines, signal),
    enabled: key !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const importing = useExclusiveMutation({
    mutationFn: () => options.send(lines),
    // The lines are personal data and may contain passwords.
    gcTime: 0,
    onSuccess: onImported,
    onError: (error) => {
      if (isAnswerLost(error)) {
        setUnknown(true)
        onImported()
      }
      // An id may have been taken, or all lines written: the refreshed preview shows which.
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

/** A run whose preview has lines of this kind. */
export type ImportRun<P extends PreviewLine> = Pick<
  ReturnType<typeof useImportRun<unknown, P>>,
  'preview' | 'importing' | 'isUnknown'
>

/**
 * Returns whether the server may have carried out a call although its answer was lost:
 * a network failure, or an answer that a proxy produced.
 */
export const isAnswerLost = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || (error.status >= 500 && error.codigo === 'resposta_invalida')
