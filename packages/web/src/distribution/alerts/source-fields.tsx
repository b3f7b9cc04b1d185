import { type AlertVisual, alertCellText } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import classes from '../deliveries/delivery.module.css'
import { FormPart } from '../deliveries/delivery-form.tsx'
import { alertVisualsQuery } from './alert-queries.ts'
import { rowText, valueText } from './alert-texts.ts'
import { type AlertValues, cellOf, formsOf, type PartProps, rowChoices } from './alert-values.ts'

interface SourceFieldsProps extends PartProps {
  idRelatorio: number
  onChosen: (chosen: { formato: string | null; nome: string }) => void
}

/** The value to watch: page, visual, row and column, as the person sees them. */
export const SourceFields = ({ values, set, faults, idRelatorio, onChosen }: SourceFieldsProps) => {
  const { pagina, filtros, visual, coluna } = values
  const { data, error, isFetching, refetch } = useQuery(alertVisualsQuery(idRelatorio, pagina, filtros))
  const shown = data?.visuais.find(({ nome }) => nome === visual)
  const column = shown?.colunas.find(({ nome }) => nome === coluna)
  const row = values.linha === null ? undefined : rowText(values.linha, shown ? formsOf(shown) : null)
  const titles = new Set([column?.rotulo, shown?.titulo, row].filter((title) => title !== undefined))
  const nome = [...titles].join(' – ').slice(0, 120)
  const formato = column?.formato ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form keeps what the rows say
  useEffect(() => {
    if (data) onChosen({ formato, nome })
  }, [data, formato, nome])
  // The first page, and the visual of a menu, become a choice once their rows are known.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per answer
  useEffect(() => {
    if (!data) return
    if (pagina === null) set({ pagina: data.pagina })
    if (shown && !column) set(firstOf(shown))
  }, [data])

  if (error && !data)
    return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines label="Lendo os valores do relatório" />
  const choosePage = (name: string) => set({ pagina: name, visual: '', coluna: '', linha: null })
  const chooseVisual = (name: string) => {
    const wanted = data.visuais.find((one) => one.nome === name)
    set({ visual: name, ...(wanted ? firstOf(wanted) : { coluna: '', linha: null }) })
  }
  return (
    <FormPart title="O que vigiar">
      <div className={shared.columns}>
        <NativeSelect
          label="Página"
          name="pagina"
          data={data.paginas.map(({ nome: value, titulo: label }) => ({ value, label }))}
          value={data.pagina}
          error={faults.pagina}
          onChange={({ currentTarget: { value } }) => choosePage(value)}
        />
        <NativeSelect
          label="Visual"
          name="visual"
          data={[
            ...(shown ? [] : [{ value: '', label: 'Escolha…' }]),
            ...data.visuais.map(({ nome: value, titulo: label }) => ({ value, label })),
          ]}
          value={shown ? visual : ''}
          error={faults.visual}
          onChange={({ currentTarget: { value } }) => chooseVisual(value)}
        />
      </div>
      {data.visuais.length === 0 && (
        <InlineMessage icon={IconChartBar}>Esta página não tem visuais com valores.</InlineMessage>
      )}
      {shown && <CellFields values={values} set={set} faults={faults} visual={shown} />}
      <p className={classes.hint}>
        Vale com os filtros do painel que estão aplicados agora. O que foi selecionado dentro do relatório não
        conta.
      </p>
    </FormPart>
  )
}

/** Returns the first column with numbers, and its first row. */
const firstOf = (visual: AlertVisual): Pick<AlertValues, 'coluna' | 'linha'> => {
  const column = visual.colunas.find(({ numerica }) => numerica) ?? visual.colunas[0]
  const coluna = column?.nome ?? ''
  return { coluna, linha: rowChoices(visual, coluna)[0]?.linha ?? null }
}

const CellFields = ({ values, set, faults, visual }: PartProps & { visual: AlertVisual }) => {
  const { coluna, linha, condicao } = values
  const choices = rowChoices(visual, coluna)
  const isKnown = choices.some((choice) => JSON.stringify(choice.linha) === JSON.stringify(linha))
  const cell = cellOf(visual, values)
  const offered = visual.colunas.filter(
    ({ numerica, nome }) => numerica || condicao === 'AUSENTE' || nome === coluna,
  )
  return (
    <>
      <div className={shared.columns}>
        {(choices.length > 0 || linha !== null) && (
          <NativeSelect
            label="Linha"
            name="linha"
            data={[
              // The row of the alert is kept while it is not there.
              ...(isKnown || linha === null
                ? []
                : [{ value: JSON.stringify(linha), label: rowText(linha, formsOf(visual)) }]),
              ...choices.map((choice) => ({ value: JSON.stringify(choice.linha), label: choice.label })),
            ]}
            value={JSON.stringify(linha)}
            error={faults.linha}
            onChange={({ currentTarget: { value } }) => set({ linha: JSON.parse(value) })}
          />
        )}
        <NativeSelect
          label="Coluna"
          name="coluna"
          data={offered.map(({ nome: value, rotulo: label }) => ({ value, label }))}
          value={coluna}
          error={faults.coluna}
          onChange={({ currentTarget: { value } }) =>
            set({ coluna: value, linha: rowChoices(visual, value)[0]?.linha ?? null })
          }
        />
      </div>
      <p className={classes.sentence} role="status">
        Agora:{' '}
        {cell && typeof cell.value === 'number'
          ? valueText(cell.value, cell.column.formato)
          : alertCellText(cell?.value ?? null, cell?.column)}
      </p>
      {visual.cortado && <p className={classes.hint}>O visual tem mais linhas. Aqui estão as primeiras.</p>}
    </>
  )
}
