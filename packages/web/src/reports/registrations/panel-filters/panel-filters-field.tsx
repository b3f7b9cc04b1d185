import { labelsOf, MAX_PANEL_FILTERS, reportEntity } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { ActionButton } from '../../../ui/action-button.tsx'
import shared from '../../../ui/shared.module.css'
import { PanelFilterEditor } from './panel-filter-editor.tsx'
import { blankFilter, type TypedPanel, type TypedPanelFilter } from './panel-values.ts'

interface PanelFiltersFieldProps {
  name: string
  value: TypedPanel
  onChange: (panel: TypedPanel) => void
  error: string | undefined
  /** All errors of the form; those of single filters begin with the field's name. */
  errors: Partial<Record<string, string>>
}

const modes = [
  { value: 'PADRAO', label: 'Os do próprio relatório' },
  { value: 'PROPRIOS', label: 'Os que eu informar aqui' },
  { value: 'NENHUM', label: 'Nenhum: esconder o painel' },
] as const

/** The field 'Filtros do painel': what the panel 'Filtrar Relatórios' of the report offers. */
export const PanelFiltersField = ({ name, value, onChange, error, errors }: PanelFiltersFieldProps) => {
  const list = useRef<HTMLOListElement>(null)
  const filters = typeof value === 'string' ? [] : value
  const choose = (mode: string) => {
    if (mode === 'PROPRIOS') onChange(filters.length > 0 ? filters : [blankFilter])
    else onChange(mode === 'NENHUM' ? 'NENHUM' : 'PADRAO')
  }
  const replace = (index: number, filter: TypedPanelFilter) => onChange(filters.with(index, filter))
  const remove = (index: number) => {
    const others = filters.toSpliced(index, 1)
    onChange(others.length > 0 ? others : 'PADRAO')
  }
  const moveUp = (index: number) => {
    const [filter] = filters.slice(index, index + 1)
    if (filter) onChange(filters.toSpliced(index, 1).toSpliced(index - 1, 0, filter))
  }
  const add = () => {
    onChange([...filters, blankFilter])
    // The new filter is in the document after this event.
    setTimeout(() => list.current?.lastElementChild?.querySelector('input')?.focus())
  }
  return (
    <div className={shared.stackMd}>
      <NativeSelect
        name={name}
        label={labelsOf(reportEntity).filtrosPainel}
        description="O que o botão Filtrar Relatórios oferece. O relatório do serviço local traz os seus; os outros mostram Operadora, Sexo e Titularidade, da tabela Sinistralidade."
        data={[...modes]}
        value={typeof value === 'string' ? value : 'PROPRIOS'}
        onChange={(event) => choose(event.currentTarget.value)}
        error={error}
      />
      {filters.length > 0 && (
        <>
          <ol ref={list} className={shared.stackMd} aria-label="Filtros do painel">
            {filters.map((filter, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no own name while it is typed
              <li key={index}>
                <PanelFilterEditor
                  name={`${name}.${index}`}
                  number={index + 1}
                  filter={filter}
                  errors={errors}
                  onChange={(next) => replace(index, next)}
                  onMoveUp={index > 0 ? () => moveUp(index) : undefined}
                  onRemove={() => remove(index)}
                />
              </li>
            ))}
          </ol>
          {filters.length < MAX_PANEL_FILTERS && (
            <ActionButton
              icon={IconPlus}
              label="Acrescentar filtro"
              style={{ alignSelf: 'start' }}
              onClick={add}
            />
          )}
        </>
      )}
    </div>
  )
}
