import type { ChosenPlace, DataPlace } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'

interface PlaceFieldsProps {
  lugar: DataPlace
  disabled: boolean
  onChange: (place: ChosenPlace) => void
}

/** Tells whether there is something to choose: another sheet or row, or that no row is a heading. */
export const hasChoice = (lugar: DataPlace | null): lugar is DataPlace =>
  lugar !== null && (lugar.abas.length > 1 || lugar.primeirasLinhas.length > 0)

/** Which sheet is read, and which row has the names of the columns. */
export const PlaceFields = ({ lugar, disabled, onChange }: PlaceFieldsProps) => {
  const { abas, aba, linhaDoCabecalho, linhasNoCabecalho } = lugar
  const sheet = aba === null ? {} : { aba }
  return (
    <>
      {abas.length > 1 && (
        <NativeSelect
          label="Aba"
          disabled={disabled}
          value={aba ?? ''}
          // A hidden sheet that was published may be the one that is read.
          data={aba !== null && !abas.includes(aba) ? [aba, ...abas] : abas}
          onChange={({ currentTarget: { value } }) => onChange({ aba: value })}
        />
      )}
      {lugar.primeirasLinhas.length > 0 && (
        <NativeSelect
          label="Linha do cabeçalho"
          disabled={disabled}
          value={placeValue(linhaDoCabecalho, linhasNoCabecalho)}
          data={headingChoices(lugar)}
          onChange={({ currentTarget: { value } }) => {
            const [row, count] = value.split('+').map(Number)
            onChange({ ...sheet, linhaDoCabecalho: row, linhasNoCabecalho: count as 0 | 1 | 2 })
          }}
        />
      )}
    </>
  )
}

/** '4+1': row 4 alone. '3+2': rows 3 and 4. '4+0': no heading, and values from row 4 on. */
const placeValue = (row: number, count: 0 | 1 | 2): string => `${row}+${count}`

/** Letters of a row in the list. */
const SHOWN = 60
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

const headingChoices = ({ primeirasLinhas, linhaDoCabecalho, linhasNoCabecalho }: DataPlace) => {
  const single = primeirasLinhas.map(({ linha, texto }) => ({
    value: placeValue(linha, 1),
    label: `Linha ${linha}: ${cut(texto)}`,
  }))
  const pairs = primeirasLinhas.flatMap(({ linha }, index) => {
    const next = primeirasLinhas[index + 1]
    return next?.linha === linha + 1
      ? [{ value: placeValue(linha, 2), label: `Linhas ${linha} e ${next.linha}: ${cut(next.texto)}` }]
      : []
  })
  const current = placeValue(linhaDoCabecalho, linhasNoCabecalho)
  const none = {
    value: placeValue(linhaDoCabecalho, 0),
    label: `O arquivo não tem cabeçalho: dados desde a linha ${linhaDoCabecalho}`,
  }
  const isOffered = [none, ...single, ...pairs].some(({ value }) => value === current)
  // A heading far below is read when a report has it.
  if (!isOffered) single.push({ value: current, label: `Linha ${linhaDoCabecalho}` })
  return [
    { group: 'Uma linha', items: single },
    ...(pairs.length > 0 ? [{ group: 'Duas linhas: grupo e nome', items: pairs }] : []),
    { group: 'Nenhuma', items: [none] },
  ]
}
