import type { DataScale } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import own from './published.module.css'
import type { Question } from './use-replacement.ts'
import '@mantine/core/styles/Combobox.layer.css'

interface ScaleQuestionProps {
  question: Question
  value: DataScale | undefined
  disabled: boolean
  onChoose: (scale: DataScale) => void
}

/** Asks what the numbers of a column are, when only the old or the new file shows percent signs. */
export const ScaleQuestion = ({ question, value, disabled, onChoose }: ScaleQuestionProps) => {
  const { rotulo, percentual, desconhecida, respostas } = question
  const labels = labelsOf(question)
  return (
    <NativeSelect
      className={own.narrow ?? ''}
      label={`Os números de ${rotulo}`}
      description={
        percentual
          ? desconhecida
            ? 'Este arquivo traz percentuais. Os dados publicados são de uma versão anterior do portal, que não gravou se 8% ficou 0,08 ou 8: confira no relatório. As próximas trocas usam a resposta.'
            : 'Este arquivo traz percentuais, e os dados publicados, números sem %. Lidos do jeito errado, ficariam 100 vezes maiores ou menores.'
          : desconhecida
            ? 'O relatório mostra a coluna como percentual, e este arquivo traz números sem %.'
            : 'Os dados publicados são percentuais, e este arquivo traz números sem %. Lidos do jeito errado, ficariam 100 vezes maiores ou menores.'
      }
      disabled={disabled}
      value={value ?? ''}
      data={[
        ...(value === undefined ? [{ value: '', label: 'Escolha…', disabled: true }] : []),
        ...respostas.map((scale) => ({ value: scale, label: labels[scale] })),
      ]}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as DataScale)}
    />
  )
}

const labelsOf = ({ percentual, desconhecida, fracoes, exemplo }: Question): Record<DataScale, string> => {
  const number = Number(exemplo ?? (fracoes ? '0.08' : '8'))
  const [shown, asShare] = [numberText(number), numberText(number * 100)]
  const start = fracoes ? '' : 'São percentuais: '
  const asRead = desconhecida ? '8% é 0,08' : '8% passa a ser 0,08'
  return {
    COMO_LIDO: percentual ? asRead : `Não são percentuais: ${shown} fica ${shown}`,
    MULTIPLICAR: '8% é 8, como os números de antes',
    DIVIDIR: `${start}${shown} é ${shown}%`,
    FRACAO: `${start}${shown} é ${asShare}%`,
  }
}

/** 0.07 * 100 is 7.000000000000001. */
const numberText = (number: number) => String(Number(number.toPrecision(15))).replace('.', ',')
