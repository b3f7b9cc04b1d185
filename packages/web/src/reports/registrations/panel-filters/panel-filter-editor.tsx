import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconArrowUp, IconTrash } from '@tabler/icons-react'
import { ActionButton } from '../../../ui/action-button.tsx'
import shared from '../../../ui/shared.module.css'
import classes from './panel-filters.module.css'
import { type ColumnType, linesOf, type TypedPanelFilter } from './panel-values.ts'

interface PanelFilterEditorProps {
  /** The name of the filter in the errors. */
  name: string
  number: number
  filter: TypedPanelFilter
  errors: Partial<Record<string, string>>
  onChange: (filter: TypedPanelFilter) => void
  onMoveUp: (() => void) | undefined
  onRemove: () => void
}

const types: { value: ColumnType; label: string }[] = [
  { value: 'TEXTO', label: 'Textos' },
  { value: 'NUMERO', label: 'Números' },
  { value: 'LOGICO', label: 'Verdadeiro e falso' },
]

/** One filter of the panel: its column, its label, and its values in their order. */
export const PanelFilterEditor = (props: PanelFilterEditorProps) => {
  const { name, number, filter, errors, onChange, onMoveUp, onRemove } = props
  const title = `Filtro ${number}`
  /** The error of a field, or the first one inside its list. */
  const errorOf = (field: string) => {
    const own = `${name}.${field}`
    return Object.entries(errors).find(([key]) => key === own || key.startsWith(`${own}.`))?.[1]
  }
  const text = (field: 'tabela' | 'coluna' | 'rotulo' | 'valores' | 'padrao') => ({
    name: `${name}.${field}`,
    value: filter[field],
    error: errorOf(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...filter, [field]: event.currentTarget.value }),
  })
  const lines = linesOf(filter.valores)
  const isOffered = lines.some(({ value }) => value === filter.padrao)
  return (
    <fieldset className={`${shared.outlined} ${classes.filter}`}>
      <legend className={classes.title}>{title}</legend>
      <div className={shared.columns}>
        <TextInput label="Tabela" maxLength={100} spellCheck={false} {...text('tabela')} />
        <TextInput label="Coluna" maxLength={100} spellCheck={false} {...text('coluna')} />
        <TextInput label="Rótulo" placeholder="O nome no painel" maxLength={60} {...text('rotulo')} />
        <NativeSelect
          label="Valores são"
          data={types}
          value={filter.tipo}
          onChange={(event) => onChange({ ...filter, tipo: event.currentTarget.value as ColumnType })}
        />
      </div>
      <Textarea
        label="Valores"
        description="Um em cada linha, na ordem da lista. Para mostrar outro nome: valor = Nome."
        rows={3}
        classNames={{ input: classes.values ?? '' }}
        spellCheck={false}
        {...text('valores')}
      />
      <NativeSelect
        label="Padrão"
        description="Já escolhido quando o relatório abre."
        data={[
          { value: '', label: 'Nenhum' },
          ...lines.map(({ value, label }) => ({ value, label: label || value })),
          ...(filter.padrao && !isOffered
            ? [{ value: filter.padrao, label: `${filter.padrao} (fora da lista)` }]
            : []),
        ]}
        {...text('padrao')}
      />
      <div className={shared.row}>
        {onMoveUp && (
          <ActionButton
            icon={IconArrowUp}
            label="Subir"
            size="xs"
            aria-label={`Subir ${title}`}
            onClick={onMoveUp}
          />
        )}
        <ActionButton
          icon={IconTrash}
          label="Retirar"
          size="xs"
          aria-label={`Retirar ${title}`}
          onClick={onRemove}
        />
      </div>
    </fieldset>
  )
}
