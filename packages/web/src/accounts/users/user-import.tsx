import { usersApi } from '@bi-manager/contract'
import { Alert, Button, Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSendsMail } from '../../lib/api/use-sends-mail.ts'
import { saveCsv } from '../../lib/browser/save-file.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { readCsvFile } from '../../ui/csv-import/csv-file.ts'
import classes from '../../ui/csv-import/csv-import.module.css'
import { ImportFile } from '../../ui/csv-import/import-file.tsx'
import { ImportPreview } from '../../ui/csv-import/import-preview.tsx'
import { ImportResult as Result } from '../../ui/csv-import/import-result.tsx'
import { useChosenFile, useImportRun } from '../../ui/csv-import/use-csv-import.ts'
import { focusOnMount } from '../../ui/page-focus.ts'
import { useReported } from '../../ui/use-reported.ts'
import {
  exampleCsv,
  fieldNames,
  passwordsCsv,
  passwordsFor,
  peopleText,
  withPasswords,
  writingText,
} from './import-lines.ts'
import { parseUserCsv, userCsv } from './user-csv.ts'
import '@mantine/core/styles/Checkbox.layer.css'

interface UserImportProps {
  onClose: () => void
  onImported: () => void
  /** Called with true while the dialog must stay open. */
  onHold: (isHeld: boolean) => void
}

/** The steps of an import: file, preview, result. */
export const UserImport = ({ onClose, onImported, onHold }: UserImportProps) => {
  const { file, fault, choose, clear } = useChosenFile(readUsers)
  const sendsMail = useSendsMail()
  const [isInviting, setInviting] = useState(false)
  const [isGenerating, setGenerating] = useState(true)
  const [isDownloaded, setDownloaded] = useState(false)
  const passwords = isGenerating && !isInviting && file ? file.passwords : new Map<number, string>()
  const lines = file ? withPasswords(file.lines, passwords) : []
  const run = useImportRun({
    key: file && ['importacao-de-usuarios', file.number, isGenerating, isInviting],
    lines,
    preview: (linhas, signal) =>
      call(usersApi.previewImport, { body: { linhas, convidar: isInviting } }, { signal }),
    send: (linhas) => call(usersApi.import, { body: { linhas, convidar: isInviting } }),
    onImported,
  })
  const { importing, isUnknown } = run
  // The accounts may exist with these passwords, which no other place has.
  const needsDownload = (isUnknown || importing.isSuccess) && passwords.size > 0 && !isDownloaded
  useReported(importing.isPending || needsDownload, onHold)

  const download = () => {
    if (file) saveCsv(passwordsCsv(file.lines, passwords), 'usuarios-senhas.csv')
    setDownloaded(true)
  }
  if (importing.data)
    return (
      <ImportResult
        count={importing.data.cadastrados}
        isInviting={isInviting}
        passwords={passwords.size}
        isDownloaded={isDownloaded}
        onDownload={download}
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
        ready: ({ linha }) =>
          isInviting ? 'Pronta, com convite' : passwords.has(linha) ? 'Pronta, com senha gerada' : 'Pronta',
      }}
      run={run}
      options={
        <>
          <Checkbox
            label="Enviar convites por e-mail"
            description={sendsMail ? INVITED : NOT_SENT}
            checked={isInviting}
            disabled={importing.isPending || isUnknown}
            onChange={(event) => setInviting(event.currentTarget.checked)}
          />
          {file.passwords.size > 0 && !isInviting && (
            <Checkbox
              mt="sm"
              label="Gerar senhas que faltam"
              description={`${peopleText(file.passwords.size)} sem senha no arquivo. As geradas aparecem só no fim da importação.`}
              checked={isGenerating}
              disabled={importing.isPending || isUnknown}
              onChange={(event) => setGenerating(event.currentTarget.checked)}
            />
          )}
        </>
      }
      lost={{
        keys: 'e-mails',
        faults: 'E-mails já cadastrados',
        isFileLocked: needsDownload,
        ...(passwords.size > 0 && {
          more: 'As senhas geradas podem já valer: baixe o arquivo antes de fechar.',
          action: (
            <ActionButton
              isMain={!isDownloaded}
              icon={IconDownload}
              label="Baixar senhas"
              mt="sm"
              onClick={download}
            />
          ),
        }),
      }}
      writing={writingText(file.lines.length, isInviting)}
      onClose={onClose}
      onStartOver={() => {
        run.reset()
        setDownloaded(false)
        clear()
      }}
    />
  )
}

const INVITED = 'Cada pessoa recebe um link que vale sete dias e escolhe a própria senha.'
const NOT_SENT =
  'Este portal não envia e-mails: os convites ficam na pasta outbox do servidor, e quem cuida dele os entrega. Sem isso, gere senhas.'

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
    <li>
      <code>perfis</code> traz os nomes dos perfis, separados por <code>|</code>, e{' '}
      <code>identidade de segurança</code>, a identidade para as linhas dos relatórios.
    </li>
    <li>A senha pode ficar vazia: o portal envia um convite, ou gera uma senha e oferece a lista no fim.</li>
  </>
)

interface ImportResultProps {
  count: number
  isInviting: boolean
  /** Number of generated passwords, which are lost when the dialog closes. */
  passwords: number
  isDownloaded: boolean
  onDownload: () => void
  onClose: () => void
}

const ImportResult = (props: ImportResultProps) => {
  const { count, isInviting, passwords, isDownloaded, onDownload, onClose } = props
  const sendsMail = useSendsMail()
  const isPending = passwords > 0 && !isDownloaded
  return (
    <Result
      count={count}
      people={userCsv.people}
      buttons={
        <>
          {passwords > 0 && (
            <Button
              key="download"
              variant={isPending ? 'filled' : 'default'}
              leftSection={<IconDownload size={18} aria-hidden />}
              onClick={onDownload}
              ref={focusOnMount}
            >
              Baixar senhas
            </Button>
          )}
          <Button
            key="close"
            variant={isPending ? 'default' : 'filled'}
            onClick={onClose}
            ref={passwords === 0 ? focusOnMount : undefined}
          >
            {isPending ? 'Fechar sem baixar' : 'Fechar'}
          </Button>
        </>
      }
    >
      {isInviting && (
        <p>
          {sendsMail
            ? 'Os convites estão na fila de envio. Quem não recebe aparece em Usuários com “E-mail não entregue”.'
            : 'Nada foi enviado: os convites estão na pasta outbox do servidor.'}
        </p>
      )}
      {passwords > 0 && (
        <Alert
          color="yellow"
          classNames={{ label: classes.warningTitle }}
          icon={<IconAlertTriangle aria-hidden />}
          title={passwords === 1 ? '1 senha gerada' : `${passwords} senhas geradas`}
        >
          {isDownloaded
            ? 'Guarde o arquivo em lugar seguro e apague-o depois de entregar as senhas.'
            : `${passwords === 1 ? 'Ela não aparece' : 'Elas não aparecem'} de novo: baixe o arquivo agora.`}
        </Alert>
      )}
    </Result>
  )
}
