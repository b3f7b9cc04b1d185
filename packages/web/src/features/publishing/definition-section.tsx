import type { DataReading, PublicationResult } from '@bi-manager/contract'
import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { placeIn } from './definition-text.ts'
import classes from './publishing.module.css'

const DefinitionEditor = lazy(async () => ({
  default: (await import('./editor/definition-editor.tsx')).DefinitionEditor,
}))

interface DefinitionSectionProps {
  text: string
  tables: DataReading['tabelas']
  result: PublicationResult | undefined
  isChecking: boolean
  error: unknown
  /** Beside the editor, or alone while the definition is closed. */
  preview: ReactNode
  onEdit: (text: string) => void
  /** Absent while the text is the proposal. */
  onReset: (() => void) | undefined
}

/** What the report shows: its definition with what is wrong in it, and the drawn report. */
export const DefinitionSection = (props: DefinitionSectionProps) => {
  const { text, tables, result, isChecking, error, preview, onEdit, onReset } = props
  const [isOpen, setOpen] = useState(false)
  const [goTo, setGoTo] = useState<{ line: number; column: number }>()
  const hint = useId()
  return (
    <>
      <div className={classes.workbench} data-open={isOpen || undefined}>
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className={classes.summary}>Definição do relatório</summary>
          {isOpen && (
            <div className={shared.stackXs}>
              <p className={shared.note}>
                O que o relatório mostra, em JSON. Ctrl+Espaço sugere campos, tipos, tabelas e colunas; Tab
                sai do editor.
              </p>
              <Suspense fallback={<SkeletonLines label="Carregando o editor" />}>
                <DefinitionEditor
                  value={text}
                  tables={tables}
                  erros={result?.erros ?? none}
                  avisos={result?.avisos ?? none}
                  goTo={goTo}
                  label="Definição do relatório"
                  describedBy={hint}
                  onChange={onEdit}
                />
              </Suspense>
            </div>
          )}
        </details>
        {preview}
      </div>
      <div id={hint} role="status" className={shared.stackXs}>
        <Findings
          result={result}
          isChecking={isChecking}
          onPlace={(sentence) => {
            setOpen(true)
            setGoTo(placeIn(sentence))
          }}
        />
      </div>
      <ErrorAlert error={error} />
      {onReset && (
        <div className={shared.buttons}>
          <ActionButton size="xs" label="Voltar à proposta" onClick={onReset} />
        </div>
      )}
    </>
  )
}

const none: string[] = []

interface FindingsProps {
  result: PublicationResult | undefined
  isChecking: boolean
  onPlace: (sentence: string) => void
}

const Findings = ({ result, isChecking, onPlace }: FindingsProps) => {
  if (!result) return isChecking ? <p className={shared.note}>Conferindo…</p> : null
  const { erros, avisos } = result
  if (erros.length === 0 && avisos.length === 0)
    return (
      <p className={`${shared.row} ${shared.note}`}>
        <IconCircleCheck size={18} aria-hidden className={shared.accent} />
        {isChecking ? 'Conferindo…' : 'Conferido: nenhum erro.'}
      </p>
    )
  return (
    <Alert
      color={erros.length > 0 ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={erros.length > 0 ? 'Corrija antes de publicar' : 'Avisos'}
    >
      <ul className={classes.findings}>
        {[...erros, ...avisos].map((sentence) => (
          <li key={sentence}>
            {sentence}{' '}
            {placeIn(sentence) && (
              <ActionButton size="compact-xs" label="Ir para a linha" onClick={() => onPlace(sentence)} />
            )}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
