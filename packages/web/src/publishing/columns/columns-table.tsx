import type { DataColumn, DataType } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import shared from '../../ui/shared.module.css'
import classes from './columns.module.css'
import { hasSeconds, shownValue } from './shown-value.ts'

interface ColumnsTableProps {
  /** The name of the table for screen readers. */
  label: string
  /** `antes`: the type in the table that a file replaces; null of a new column. */
  columns: (DataColumn & { antes?: DataColumn['tipo'] | null })[]
  rows: (string | null)[][]
  isBusy: boolean
  /** The types are final. */
  isPublished: boolean
  /** Nothing decides the decimal mark of columns that both marks fit. */
  isInDoubt: boolean
  /** Nothing decides the order of dates that both orders fit. */
  isOrderInDoubt: boolean
  onType: (name: string, type: DataType) => void
}

const typeNames: Record<DataColumn['tipo'], string> = {
  TEXTO: 'Texto',
  INTEIRO: 'Número inteiro',
  NUMERO: 'Número',
  DATA: 'Data',
  DATA_HORA: 'Data e hora',
  LOGICO: 'Sim ou não',
  OUTRO: 'Outro',
}
const shownNames = { MOEDA: 'em reais', PERCENTUAL: 'percentual' }
const choices = (Object.keys(typeNames) as DataColumn['tipo'][]).filter((type) => type !== 'OUTRO')

const isNumber = (tipo: DataColumn['tipo'] | undefined) => tipo === 'INTEIRO' || tipo === 'NUMERO'

/** Greatest number of sample rows that are shown. */
const SHOWN = 8

/** The first rows of a file, below its columns, whose types can be corrected. */
export const ColumnsTable = ({
  label,
  columns,
  rows,
  isBusy,
  isPublished,
  isInDoubt,
  isOrderInDoubt,
  onType,
}: ColumnsTableProps) => {
  const shown = rows.slice(0, SHOWN)
  const withSeconds = columns.map((_column, index) => hasSeconds(shown.map((row) => row[index])))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
    <section className={classes.sample} aria-label={label} tabIndex={0} aria-busy={isBusy}>
      <table className={shared.table}>
        <thead>
          <tr>
            {columns.map(({ nome, rotulo, tipo, notacao, duasLeituras, duasOrdens, antes }) => (
              <th key={nome} scope="col" className={isNumber(tipo) ? classes.number : undefined}>
                <span className={classes.name}>{rotulo}</span>
                <NativeSelect
                  size="xs"
                  aria-label={`Tipo de ${rotulo}`}
                  disabled={tipo === 'OUTRO' || isBusy || isPublished}
                  value={tipo}
                  data={(tipo === 'OUTRO' ? ['OUTRO' as const] : choices).map((value) => ({
                    value,
                    label: typeNames[value],
                  }))}
                  onChange={({ currentTarget: { value } }) => onType(nome, value as DataType)}
                />
                {notacao && <span className={shared.detail}>{shownNames[notacao]}</span>}
                {duasLeituras && isInDoubt && (
                  <span className={classes.doubt}>vírgula ou ponto decimal?</span>
                )}
                {duasOrdens && isOrderInDoubt && <span className={classes.doubt}>dia ou mês antes?</span>}
                {antes === null && <span className={shared.detail}>coluna nova</span>}
                {antes && antes !== tipo && (
                  <span className={shared.detail}>era {typeNames[antes].toLowerCase()}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id and keep their order
            <tr key={index}>
              {row.map((value, column) => (
                <td
                  key={columns[column]?.nome}
                  className={isNumber(columns[column]?.tipo) ? classes.number : undefined}
                >
                  {value === null ? (
                    <span className={shared.dimmed}>vazio</span>
                  ) : (
                    shownValue(value, columns[column], withSeconds[column])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
