import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import shared from '../shared.module.css'
import classes from './csv-import.module.css'

export interface PreviewLine {
  linha: number
  /** Field → error message. */
  erros: Record<string, string>
}

export interface Preview<L extends PreviewLine> {
  linhas: L[]
  validas: number
  invalidas: number
}

export interface PreviewTexts<L extends PreviewLine> {
  /** The two columns that identify a line; the first is its row heading. */
  columns: readonly [PreviewColumn<L>, PreviewColumn<L>]
  /** Field → label ('E-mail'), in the order of the columns. */
  fieldNames: Record<string, string>
  /** The text for a line that can be imported. */
  ready?: (line: L) => string
}

interface PreviewColumn<L> {
  label: string
  render: (line: L) => string
}

export const PreviewLines = <L extends PreviewLine>({
  lines,
  texts,
}: {
  lines: L[]
  texts: PreviewTexts<L>
}) => {
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  const [name, other] = texts.columns
  if (phone)
    return (
      <ul className={`${shared.stackXs} ${classes.cards}`} aria-label="Linhas do arquivo">
        {lines.map((line) => (
          <li key={line.linha} data-faulty={isFaulty(line) || undefined}>
            <span className={shared.note}>Linha {line.linha}</span>
            <strong>{name.render(line) || NONE}</strong>
            <span>{other.render(line) || NONE}</span>
            <LineResult line={line} texts={texts} />
          </li>
        ))}
      </ul>
    )
  return (
    <table className={`${shared.table} ${classes.table}`} aria-label="Linhas do arquivo">
      <thead>
        <tr>
          <th scope="col">Linha</th>
          <th scope="col">{name.label}</th>
          <th scope="col">{other.label}</th>
          <th scope="col">Conferência</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.linha} data-faulty={isFaulty(line) || undefined}>
            <td>{line.linha}</td>
            <th scope="row">{name.render(line) || NONE}</th>
            <td>{other.render(line) || NONE}</td>
            <td>
              <LineResult line={line} texts={texts} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns 'E-mail: Informe um e-mail válido.' for each fault, in column order. */
export const faultTexts = ({ erros }: PreviewLine, fieldNames: Record<string, string>): string[] =>
  Object.keys(fieldNames)
    .filter((field) => field in erros)
    .concat(Object.keys(erros).filter((field) => !(field in fieldNames)))
    .map((field) => `${fieldNames[field] ?? field}: ${erros[field]}`)

const NONE = '—'

const isFaulty = ({ erros }: PreviewLine) => Object.keys(erros).length > 0

const LineResult = <L extends PreviewLine>({
  line,
  texts: { fieldNames, ready },
}: {
  line: L
  texts: PreviewTexts<L>
}) =>
  isFaulty(line) ? (
    <ul className={classes.faults}>
      {faultTexts(line, fieldNames).map((text) => (
        <li key={text}>
          <IconAlertTriangle size={16} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  ) : (
    <span className={`${shared.note} ${classes.good}`}>
      <IconCheck size={16} aria-hidden />
      {ready?.(line) ?? 'Pronta'}
    </span>
  )
