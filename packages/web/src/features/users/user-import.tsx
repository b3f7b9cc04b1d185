import '@mantine/core/styles/Checkbox.layer.css'
import { Button, Checkbox } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { saveFile } from '../../lib/browser/save-file.ts'
import { readCsvFile } from '../../ui/csv-import/csv-file.ts'
import { csvBlob } from '../../ui/csv-import/csv-text.ts'
import { ImportFile } from '../../ui/csv-import/import-file.tsx'
import { ImportPreview, LostAnswerNotice } from '../../ui/csv-import/import-preview.tsx'
import { isAnswerLost, useChosenFile, useImportRun } from '../../ui/csv-import/use-csv-import.ts'
import {
  exampleCsv,
  fieldNames,
  passwordsCsv,
  passwordsFor,
  peopleText,
  withPasswords,
  writingText,
} from './import-lines.ts'
import { ImportResult } from './import-result.tsx'
import { parseUserCsv, userCsv } from './user-csv.ts'
import { importUsers, previewImport } from './users-queries.ts'

interface UserImportProps {
  onClose: () => void
  onImported: () => void
  /** Called with true while the dialog must stay open. */
  onHold: (isHeld: boolean) => void
}

/** The steps of an import: file, preview, result. */
export const UserImport = ({ onClose, onImported, onHold }: UserImportProps) => {
  const { file, fault, choose, clear } = useChosenFile(readUsers)
  const [isGenerating, setGenerating] = useState(true)
  const [isDownloaded, setDownloaded] = useState(false)
  const passwords = isGenerating && file ? file.passwords : new Map<number, string>()
  const lines = file ? withPasswords(file.lines, passwords) : []
  const { preview, importing, isUnknown, reset } = useImportRun({
    key: file && ['importacao-de-usuarios', file.number, isGenerating],
    lines,
    preview: previewImport,
    send: importUsers,
    onImported,
  })
  // The passwords may already be in use and are kept only here.
  const isKept = isUnknown && passwords.size > 0 && !isDownloaded
  const hasSecrets = (importing.isSuccess && passwords.size > 0) || isKept
  useEffect(() => {
    onHold(importing.isPending || hasSecrets)
    return () => onHold(false)
  }, [onHold, importing.isPending, hasSecrets])

  if (importing.data)
    return (
      <ImportResult
        count={importing.data.cadastrados}
        lines={lines}
        passwords={passwords}
        onClose={onClose}
      />
    )
  if (!file)
    return (
      <ImportFile
        lead="Um usuário por linha, com nome, e-mail e senha. Antes de gravar, você vê o que falta em cada linha; depois, ou todos entram, ou nenhum."
        hints={hints}
        example={{ name: 'usuarios-exemplo.csv', text: exampleCsv }}
        fault={fault}
        onChoose={choose}
        onCancel={onClose}
      />
    )
  const download = () => {
    saveFile(csvBlob(passwordsCsv(file.lines, passwords)), 'usuarios-senhas.csv')
    setDownloaded(true)
  }
  return (
    <ImportPreview
      file={file}
      people={userCsv.people}
      texts={{
        columns: [
          { label: 'Nome', render: ({ nomeUsuario }) => nomeUsuario },
          { label: 'E-mail', render: ({ emailUsuario }) => emailUsuario },
        ],
        fieldNames,
        ready: ({ linha }) => (passwords.has(linha) ? 'Pronta, com senha gerada' : 'Pronta'),
      }}
      preview={preview.data}
      failure={preview.isFetching ? undefined : (preview.error ?? undefined)}
      onRetry={() => void preview.refetch()}
      options={
        file.passwords.size > 0 && (
          <Checkbox
            label="Gerar senhas que faltam"
            description={`${peopleText(file.passwords.size)} sem senha no arquivo. As geradas aparecem só no fim da importação.`}
            checked={isGenerating}
            disabled={importing.isPending || isUnknown}
            onChange={(event) => setGenerating(event.currentTarget.checked)}
          />
        )
      }
      problem={importing.error && !isAnswerLost(importing.error) ? messageOf(importing.error) : undefined}
      unknown={
        isUnknown
          ? {
              faults: 'E-mails já cadastrados',
              isKept,
              notice: (
                <LostAnswerNotice
                  keys="e-mails"
                  more={
                    passwords.size > 0
                      ? 'As senhas geradas podem já valer: baixe o arquivo antes de fechar.'
                      : ''
                  }
                >
                  {passwords.size > 0 && (
                    <Button
                      mt="sm"
                      variant={isDownloaded ? 'default' : 'filled'}
                      leftSection={<IconDownload size={18} aria-hidden />}
                      onClick={download}
                    >
                      Baixar senhas
                    </Button>
                  )}
                </LostAnswerNotice>
              ),
              close: (
                <Button variant="default" onClick={onClose} disabled={importing.isPending}>
                  {isKept ? 'Fechar sem baixar' : 'Fechar'}
                </Button>
              ),
            }
          : undefined
      }
      isImporting={importing.isPending}
      isChecking={preview.isFetching}
      writing={writingText(file.lines.length)}
      onImport={() => importing.mutate()}
      onStartOver={() => {
        reset()
        setDownloaded(false)
        clear()
      }}
    />
  )
}

const readUsers = async (file: File) => {
  const csv = parseUserCsv(await readCsvFile(file, userCsv))
  return { ...csv, passwords: passwordsFor(csv.lines) }
}

const hints = (
  <>
    <li>Até 500 usuários por arquivo; colunas separadas por ponto e vírgula, vírgula ou tabulação.</li>
    <li>
      A primeira linha pode ser o cabeçalho <code>nome;e-mail;senha</code>.
    </li>
    <li>
      Para o registro profissional, acrescente as colunas <code>conselho profissional</code>,{' '}
      <code>número do registro</code> e <code>UF do registro</code>.
    </li>
    <li>A senha pode ficar vazia: o portal gera uma e oferece a lista no fim.</li>
  </>
)
