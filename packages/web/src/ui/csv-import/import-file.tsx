import { Anchor, Button, Stack, Textarea } from '@mantine/core'
import { IconAlertCircle, IconFileTypeCsv } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { saveCsv } from '../../lib/browser/save-file.ts'
import { ErrorAlert } from '../error-alert.tsx'
import { FileDrop } from '../file-drop/file-drop.tsx'
import shared from '../shared.module.css'
import classes from './csv-import.module.css'

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
  const [pasted, setPasted] = useState('')
  return (
    <Stack gap="1.125rem">
      <p>{lead}</p>
      <ErrorAlert error={fault} icon={<IconAlertCircle aria-hidden />} />
      <FileDrop
        label="Arquivo CSV"
        icon={<IconFileTypeCsv size={40} stroke={1.4} aria-hidden className={shared.accent} />}
        accept=".csv,.txt,.tsv,text/csv"
        button={{ children: 'Escolher arquivo', 'data-autofocus': true }}
        note="ou solte o arquivo aqui"
        onChoose={onChoose}
      />
      <details className={classes.paste}>
        <summary>Colar a lista</summary>
        <Textarea
          aria-label="Lista colada"
          placeholder={example.text().trim()}
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
          onClick={() => saveCsv(example.text(), example.name)}
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
