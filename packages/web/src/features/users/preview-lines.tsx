import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import classes from './import.module.css'
import { faultTexts, type PreviewLine } from './import-lines.ts'

interface PreviewLinesProps {
  lines: PreviewLine[]
  /** Generated ones, by line. */
  passwords: ReadonlyMap<number, string>
}

export const PreviewLines = ({ lines, passwords }: PreviewLinesProps) => {
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  if (phone)
    return (
      <ul className={classes.cards} aria-label="Linhas do arquivo">
        {lines.map((line) => (
          <li key={line.linha} data-faulty={isFaulty(line) || undefined}>
            <span className={classes.dimmed}>Linha {line.linha}</span>
            <strong>{line.nomeUsuario || NONE}</strong>
            <span>{line.emailUsuario || NONE}</span>
            <Judgement line={line} isGenerated={passwords.has(line.linha)} />
          </li>
        ))}
      </ul>
    )
  return (
    <table className={classes.table} aria-label="Linhas do arquivo">
      <thead>
        <tr>
          <th scope="col">Linha</th>
          <th scope="col">Nome</th>
          <th scope="col">E-mail</th>
          <th scope="col">Conferência</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.linha} data-faulty={isFaulty(line) || undefined}>
            <td>{line.linha}</td>
            <th scope="row">{line.nomeUsuario || NONE}</th>
            <td>{line.emailUsuario || NONE}</td>
            <td>
              <Judgement line={line} isGenerated={passwords.has(line.linha)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const NONE = '—'

const isFaulty = ({ erros }: PreviewLine) => Object.keys(erros).length > 0

const Judgement = ({ line, isGenerated }: { line: PreviewLine; isGenerated: boolean }) =>
  isFaulty(line) ? (
    <ul className={classes.faults}>
      {faultTexts(line).map((text) => (
        <li key={text}>
          <IconAlertTriangle size={16} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  ) : (
    <span className={classes.good}>
      <IconCheck size={16} aria-hidden />
      {isGenerated ? 'Pronta, com senha gerada' : 'Pronta'}
    </span>
  )
