import type { DataReading, PublicationResult } from '@bi-manager/contract'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import classes from './editor.module.css'
import { Findings } from './findings.tsx'
import { placeIn } from './place-in.ts'

const DefinitionEditor = lazy(async () => ({
  default: (await import('./definition-editor.tsx')).DefinitionEditor,
}))

interface DefinitionSectionProps {
  text: string
  /** The proposed definition: with another one, the editor starts a new history for undo. */
  proposal: string
  tables: DataReading['tabelas']
  result: PublicationResult | undefined
  isChecking: boolean
  error: unknown
  /** Shown next to the editor, or alone while the definition is closed. */
  preview: ReactNode
  onEdit: (text: string) => void
  /** Undefined while the text is the proposed one. */
  onReset: (() => void) | undefined
}

/** What the report shows: its definition with what is wrong in it, and the drawn report. */
export const DefinitionSection = (props: DefinitionSectionProps) => {
  const { text, proposal, tables, result, isChecking, error, preview, onEdit, onReset } = props
  const [isOpen, setOpen] = useState(false)
  const [goTo, setGoTo] = useState<{ line: number; column: number }>()
  const hint = useId()
  return (
    <>
      <div className={classes.workbench} data-open={isOpen || undefined}>
        <details
          open={isOpen}
          onToggle={({ currentTarget: { open } }) => {
            setOpen(open)
            if (!open) setGoTo(undefined)
          }}
        >
          <summary className={classes.summary}>Definição do relatório</summary>
          {isOpen && (
            <div className={shared.stackXs}>
              <p className={shared.note}>
                O que o relatório mostra, em JSON. Ctrl+Espaço sugere campos, tipos, tabelas e colunas; Tab
                sai do editor.
              </p>
              <Suspense fallback={<SkeletonLines label="Carregando o editor" />}>
                <DefinitionEditor
                  key={proposal}
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
        <div className={shared.stackSm}>
          {preview}
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
        </div>
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
