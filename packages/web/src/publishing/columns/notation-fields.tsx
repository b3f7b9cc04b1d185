import type { ChosenNotation, DataColumn, DataNotation, DateOrder, DecimalMark } from '@bi-manager/contract'
import { Checkbox, NativeSelect } from '@mantine/core'
import { counted } from '../../lib/text/counted.ts'
import shared from '../../ui/shared.module.css'
import '@mantine/core/styles/Checkbox.layer.css'

interface NotationFieldsProps {
  escrita: DataNotation
  /** Empty where only the result of a check is known. */
  columns: DataColumn[]
  disabled: boolean
  onChange: (notation: ChosenNotation) => void
}

const markTexts: Record<DecimalMark, string> = {
  virgula: 'Vírgula decimal: 1.234,56',
  ponto: 'Ponto decimal: 1,234.56',
}
const marks = (['virgula', 'ponto'] as const).map((value) => ({ value, label: markTexts[value] }))
const orderTexts: Record<DateOrder, string> = {
  diaAntes: 'Dia antes do mês: 25/03/2026',
  mesAntes: 'Mês antes do dia: 03/25/2026',
}
const orders = (['diaAntes', 'mesAntes'] as const).map((value) => ({ value, label: orderTexts[value] }))
const list = new Intl.ListFormat('pt-BR')

/** Tells whether something about the values of a file may be chosen. */
export const hasNotation = (escrita: DataNotation): boolean => {
  const { marcaDecimal, marcaEmDuvida, ordemDasDatas, ordemEmDuvida, totais } = escrita
  return marcaDecimal !== null || marcaEmDuvida || ordemDasDatas !== null || ordemEmDuvida || totais > 0
}

/**
 * Which decimal mark the numbers of a file have, which order its dates, and whether its rows of
 * totals count.
 */
export const NotationFields = ({ escrita, columns, disabled, onChange }: NotationFieldsProps) => {
  const { marcaDecimal, marcaEmDuvida, ordemDasDatas, ordemEmDuvida, totais, semTotais } = escrita
  const open = columns.filter(({ duasLeituras }) => duasLeituras).map(({ rotulo }) => rotulo)
  const openDates = columns.filter(({ duasOrdens }) => duasOrdens).map(({ rotulo }) => rotulo)
  const isChosen = marcaEmDuvida || open.length > 0
  const isOrderChosen = ordemEmDuvida || openDates.length > 0
  return (
    <div className={shared.stackXs}>
      {isChosen && (
        <NativeSelect
          label="Marca decimal"
          // On one line with the field beside it, which has no description.
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={
            open.length > 0
              ? `Decide os números de ${list.format(open)}, que servem às duas formas.`
              : undefined
          }
          error={marcaEmDuvida && 'Os números podem ser lidos de duas formas. Escolha uma.'}
          disabled={disabled}
          value={marcaDecimal ?? ''}
          data={marcaDecimal ? marks : [{ value: '', label: 'Escolha…', disabled: true }, ...marks]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ marcaDecimal: value as DecimalMark, semTotais })
          }
        />
      )}
      {!isChosen && marcaDecimal && <p className={shared.note}>{markTexts[marcaDecimal]}</p>}
      {isOrderChosen && (
        <NativeSelect
          label="Ordem das datas"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={
            openDates.length > 0
              ? `Decide as datas de ${list.format(openDates)}, que servem às duas ordens.`
              : undefined
          }
          error={ordemEmDuvida && 'As datas podem ser lidas de duas formas. Escolha uma.'}
          disabled={disabled}
          value={ordemDasDatas ?? ''}
          data={ordemDasDatas ? orders : [{ value: '', label: 'Escolha…', disabled: true }, ...orders]}
          onChange={({ currentTarget: { value } }) => onChange({ ordemDasDatas: value as DateOrder })}
        />
      )}
      {!isOrderChosen && ordemDasDatas && <p className={shared.note}>{orderTexts[ordemDasDatas]}</p>}
      {totais > 0 && (
        <Checkbox
          label={
            totais === 1
              ? 'Deixar de fora a linha de total'
              : `Deixar de fora as ${counted(totais, 'linha', 'linhas')} de totais`
          }
          checked={semTotais}
          disabled={disabled}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ ...(marcaDecimal && isChosen && { marcaDecimal }), semTotais: checked })
          }
        />
      )}
    </div>
  )
}
