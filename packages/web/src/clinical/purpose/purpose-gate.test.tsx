import { MantineProvider } from '@mantine/core'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { choosePurpose, currentPurpose } from '../../lib/session/purpose.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { PurposeGate } from './purpose-gate.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 60_000)))
afterEach(() => endSession('saiu'))

const show = () =>
  render(
    <MantineProvider env="test">
      <PurposeGate>
        <input aria-label="dados" />
      </PurposeGate>
    </MantineProvider>,
  )
const data = () => screen.queryByLabelText<HTMLInputElement>('dados')
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('the purpose gate renders its children only after a purpose is chosen, and shows the purpose', async () => {
  show()
  const question = screen.getByRole('radiogroup', { name: 'Para que você vai acessar estes dados?' })
  expect(
    within(question)
      .getAllByRole('radio')
      .map((radio) => (radio as HTMLInputElement).labels?.[0]?.textContent),
  ).toEqual(['Atendimento', 'Auditoria', 'Regulação', 'Outro'])
  expect(
    screen.getByText('Cada acesso fica registrado com seu nome, a data e esta finalidade.'),
  ).toBeDefined()
  expect(data()).toBeNull()
  await press('Continuar')
  expect(screen.getByText('Escolha uma opção.')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Atendimento'))
  await userEvent.click(screen.getByLabelText('Regulação'))
  await press('Continuar')
  expect(data()).not.toBeNull()
  expect(screen.getByText('Finalidade:').textContent).toBe('Finalidade: Regulação')
})

test('Outro requires a text', async () => {
  show()
  await userEvent.click(screen.getByLabelText('Outro'))
  const text = screen.getByRole('textbox', { name: 'Qual finalidade?' })
  expect(screen.getByText('Não escreva nomes nem dados de beneficiários.')).toBeDefined()
  await userEvent.type(text, '  ')
  await press('Continuar')
  expect(screen.getByText('Escreva a finalidade.')).toBeDefined()
  expect(document.activeElement).toBe(text)
  expect(data()).toBeNull()
  await userEvent.type(text, 'pedido da ouvidoria')
  await press('Continuar')
  expect(screen.getByText('Finalidade:').textContent).toBe('Finalidade: Outro: pedido da ouvidoria')
})

test('the gate does not ask again after a purpose was chosen in this session', () => {
  choosePurpose('auditoria')
  show()
  expect(data()).not.toBeNull()
  expect(screen.queryByRole('radiogroup')).toBeNull()
})

test('Trocar changes the purpose without losing typed text; Cancelar keeps the purpose', async () => {
  choosePurpose('auditoria')
  show()
  await userEvent.type(data() as HTMLInputElement, 'meio')
  await press('Trocar a finalidade')
  const dialog = () => screen.getByRole('dialog', { name: 'Trocar a finalidade' })
  expect(within(dialog()).getByLabelText<HTMLInputElement>('Auditoria').checked).toBe(true)
  await userEvent.click(within(dialog()).getByLabelText('Atendimento'))
  await userEvent.click(within(dialog()).getByRole('button', { name: 'Cancelar' }))
  expect(currentPurpose()?.code).toBe('auditoria')
  await press('Trocar a finalidade')
  await userEvent.click(within(dialog()).getByLabelText('Atendimento'))
  await userEvent.click(within(dialog()).getByRole('button', { name: 'Trocar a finalidade' }))
  expect(currentPurpose()?.code).toBe('atendimento')
  expect(data()?.value).toBe('meio')
})
