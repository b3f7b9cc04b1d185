import { Anchor, Button, FileButton, Stack, Textarea } from '@mantine/core'
import { IconAlertCircle, IconFileTypeCsv } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { saveFile } from '../../lib/browser/save-file.ts'
import { ErrorAlert } from '../error-alert.tsx'
import shared from '../shared.module.css'
import classes from './csv-import.module.css'
import { csvBlob } from './csv-text.ts'

interface ImportFileProps {
  /** Says what a line holds. */
  lead: string
  /** `<li>`s: the accepted formats. */
  hints: ReactNode
  /** A sample file that can be imported. */
  example: { name: string; text: () => string }
  fault: string | undefined
  onChoose: (file: File) => void
  onCancel: () => void
}

export const ImportFile = ({ lead, hints, example, fault, onChoose, onCancel }: ImportFileProps) => {
  const [isOver, setOver] = useState(false)
  const [pasted, setPasted] = useState('')
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onChoose(file)
  }
  return (
    <Stack gap="1.125rem">
      <p>{lead}</p>
      <ErrorAlert error={fault} icon={<IconAlertCircle aria-hidden />} />
      <section
        aria-label="Arquivo CSV"
        className={`${shared.stackXs} ${classes.drop}`}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
      >
        <IconFileTypeCsv size={40} stroke={1.4} aria-hidden className={shared.accent} />
        <FileButton accept=".csv,.txt,.tsv,text/csv" onChange={(file) => file && onChoose(file)}>
          {(props) => (
            <Button {...props} data-autofocus>
              Escolher arquivo
            </Button>
          )}
        </FileButton>
        <span className={shared.note}>ou solte o arquivo aqui</span>
      </section>
      <details className={classes.paste}>
        <summary>Colar a lista</summary>
        <Textarea
          aria-label="Lista colada"
          placeholder={'Joana Pereira;joana.pereira@exemplo.com.br'}
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          autoComplete="off"
          value={pasted}
          onChange={({ currentTarget }) => setPasted(currentTarget.value)}
        />
        <Button
          variant="default"
          mt="xs"
          disabled={pasted.trim() === ''}
          onClick={() => onChoose(new File([pasted], 'lista colada.csv', { type: 'text/csv' }))}
        >
          Usar a lista colada
        </Button>
      </details>
      <div className={classes.hints}>
        <ul>{hints}</ul>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => saveFile(csvBlob(example.text()), example.name)}
        >
          Baixar arquivo de exemplo
        </Anchor>
      </div>
      <div className={shared.buttonsAtEnd}>
        <Button variant="default" onClick={onCancel}>
          Cancelar
        </Button>
      </div>
    </Stack>
  )
}
