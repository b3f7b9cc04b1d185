import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ScaleQuestion } from './scale-question.tsx'
import type { Question } from './use-replacement.ts'

afterEach(cleanup)

const optionsOf = (question: Partial<Question>) => {
  const whole = { nome: 'Taxa', rotulo: 'Taxa', percentual: false, desconhecida: false, fracoes: false }
  render(
    <MantineProvider env="test">
      <ScaleQuestion
        question={{ ...whole, respostas: [], exemplo: null, ...question }}
        value={undefined}
        disabled={false}
        onChoose={() => undefined}
      />
    </MantineProvider>,
  )
  return screen.getAllByRole('option').map((option) => option.textContent)
}

test('fractions are a share or a percentage, in the number of the file', () => {
  const respostas: Question['respostas'] = ['FRACAO', 'DIVIDIR']
  expect(optionsOf({ fracoes: true, respostas, exemplo: '0.07' })).toEqual([
    'Escolha…',
    '0,07 é 7%',
    '0,07 é 0,07%',
  ])
  cleanup()
  expect(optionsOf({ fracoes: true, respostas })).toEqual(['Escolha…', '0,08 é 8%', '0,08 é 0,08%'])
})

test('other numbers may be no percentages', () => {
  expect(optionsOf({ respostas: ['DIVIDIR', 'FRACAO', 'COMO_LIDO'], exemplo: '1.234' })).toEqual([
    'Escolha…',
    'São percentuais: 1,234 é 1,234%',
    'São percentuais: 1,234 é 123,4%',
    'Não são percentuais: 1,234 fica 1,234',
  ])
})

test('percent signs stay a share or become the numbers of before', () => {
  expect(optionsOf({ percentual: true, respostas: ['COMO_LIDO', 'MULTIPLICAR'] })).toEqual([
    'Escolha…',
    '8% passa a ser 0,08',
    '8% é 8, como os números de antes',
  ])
})
