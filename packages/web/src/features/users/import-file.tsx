import { Alert, Anchor, Button, FileButton } from '@mantine/core'
import { IconAlertCircle, IconFileTypeCsv } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import classes from './import.module.css'
import { csvBlob, exampleCsv } from './import-lines.ts'

interface ImportFileProps {
  fault: string | undefined
  onChoose: (file: File) => void
  onCancel: () => void
}

export const ImportFile = ({ fault, onChoose, onCancel }: ImportFileProps) => {
  const [isOver, setOver] = useState(false)
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onChoose(file)
  }
  return (
    <div className={classes.steps}>
      <p className={classes.lead}>
        Um usuário por linha, com nome, e-mail e senha. Antes de gravar, você vê o que falta em cada linha;
        depois, ou todos entram, ou nenhum.
      </p>
      {fault && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          {fault}
        </Alert>
      )}
      <section
        aria-label="Arquivo CSV"
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
      >
        <IconFileTypeCsv size={40} stroke={1.4} aria-hidden className={classes.dropIcon} />
        <FileButton accept=".csv,.txt,.tsv,text/csv" onChange={(file) => file && onChoose(file)}>
          {(props) => (
            <Button {...props} data-autofocus>
              Escolher arquivo
            </Button>
          )}
        </FileButton>
        <span className={classes.dimmed}>ou solte o arquivo aqui</span>
      </section>
      <div className={classes.hints}>
        <ul>
          <li>Até 500 usuários por arquivo; colunas separadas por ponto e vírgula, vírgula ou tabulação.</li>
          <li>
            A primeira linha pode ser o cabeçalho <code>nome;e-mail;senha</code>.
          </li>
          <li>A senha pode ficar vazia: o portal gera uma e oferece a lista no fim.</li>
        </ul>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => saveFile(csvBlob(exampleCsv()), 'usuarios-exemplo.csv')}
        >
          Baixar arquivo de exemplo
        </Anchor>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancelar
        </Button>
      </div>
    </div>
  )
}
