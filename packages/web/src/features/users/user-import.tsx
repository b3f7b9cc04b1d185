import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { saveFile } from '../../lib/save-file.ts'
import { CsvFault, readCsvFile } from './csv-file.ts'
import { ImportFile } from './import-file.tsx'
import { csvBlob, isAnswerLost, passwordsCsv, passwordsFor, withPasswords } from './import-lines.ts'
import { ImportPreview } from './import-preview.tsx'
import { ImportResult } from './import-result.tsx'
import { parseUserCsv, type UserCsv } from './user-csv.ts'
import { importUsers, previewImport } from './users-queries.ts'

interface UserImportProps {
  onClose: () => void
  onImported: () => void
  /** Keeps the dialog open. */
  onHold: (isHeld: boolean) => void
}

interface ChosenFile extends UserCsv {
  name: string
  passwords: ReadonlyMap<number, string>
  /** Tells one choice from the next in the cache's key, which must hold nobody's data. */
  number: number
}

let chosenFiles = 0

/** The steps of an import: a file, its preview, what was done. */
export const UserImport = ({ onClose, onImported, onHold }: UserImportProps) => {
  const [file, setFile] = useState<ChosenFile>()
  const [fault, setFault] = useState<string>()
  const [isGenerating, setGenerating] = useState(true)
  /** An answer was lost: the lines may be written, with passwords that are nowhere else. */
  const [isUnknown, setUnknown] = useState(false)
  const [isDownloaded, setDownloaded] = useState(false)
  const passwords = isGenerating && file ? file.passwords : new Map<number, string>()
  const lines = file ? withPasswords(file.lines, passwords) : []

  const preview = useQuery({
    queryKey: ['importacao-de-usuarios', file?.number, isGenerating],
    queryFn: ({ signal }) => previewImport(lines, signal),
    enabled: file !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const importing = useMutation({
    mutationFn: () => importUsers(lines),
    networkMode: 'always',
    // The lines carry passwords.
    gcTime: 0,
    onSuccess: onImported,
    onError: (error) => {
      if (isAnswerLost(error)) {
        setUnknown(true)
        onImported()
      }
      // Somebody took an e-mail meanwhile, or all lines were written after all: the preview says which.
      void preview.refetch()
    },
  })
  const hasSecrets = (importing.isSuccess || (isUnknown && !isDownloaded)) && passwords.size > 0
  useEffect(() => {
    onHold(importing.isPending || hasSecrets)
    return () => onHold(false)
  }, [onHold, importing.isPending, hasSecrets])

  const choose = async (chosen: File) => {
    setFault(undefined)
    try {
      const csv = parseUserCsv(await readCsvFile(chosen))
      chosenFiles += 1
      setFile({ ...csv, name: chosen.name, passwords: passwordsFor(csv.lines), number: chosenFiles })
    } catch (error) {
      setFault(error instanceof CsvFault ? error.message : 'O arquivo não pôde ser lido. Escolha-o de novo.')
    }
  }
  const startOver = () => {
    importing.reset()
    setUnknown(false)
    setDownloaded(false)
    setFile(undefined)
  }

  if (importing.data)
    return (
      <ImportResult
        count={importing.data.cadastrados}
        lines={lines}
        passwords={passwords}
        onClose={onClose}
      />
    )
  if (!file) return <ImportFile fault={fault} onChoose={(chosen) => void choose(chosen)} onCancel={onClose} />
  return (
    <ImportPreview
      file={file}
      passwords={passwords}
      preview={preview.data}
      failure={preview.isFetching ? undefined : (preview.error ?? undefined)}
      onRetry={() => void preview.refetch()}
      isGenerating={isGenerating}
      onGenerating={setGenerating}
      problem={importing.error && !isAnswerLost(importing.error) ? messageOf(importing.error) : undefined}
      unknown={
        isUnknown
          ? {
              hasPasswords: passwords.size > 0,
              isDownloaded,
              onDownload: () => {
                saveFile(csvBlob(passwordsCsv(file.lines, passwords)), 'usuarios-senhas.csv')
                setDownloaded(true)
              },
              onClose,
            }
          : undefined
      }
      isImporting={importing.isPending}
      isChecking={preview.isFetching}
      onImport={() => importing.mutate()}
      onStartOver={startOver}
    />
  )
}
