import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { choosePurpose } from '../../lib/session/purpose.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { BeneficiaryDialog, type BeneficiaryTarget } from './beneficiary-form.tsx'

const Stage = () => {
  const [target, setTarget] = useState<BeneficiaryTarget>()
  return (
    <>
      <button type="button" onClick={() => setTarget({ typed: {} })}>
        Cadastrar mais um
      </button>
      <BeneficiaryDialog target={target} onClose={() => setTarget(undefined)} onSaved={() => undefined} />
    </>
  )
}

beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  choosePurpose('regulacao')
})
afterEach(() => {
  vi.unstubAllGlobals()
  endSession('saiu')
})

test('the beneficiary form shows an empty, working form when it is reopened during its closing transition', async () => {
  let id = 0
  const { of } = answerWith({
    'POST /api/beneficiarios': () =>
      Response.json({
        id: ++id,
        nome_beneficiario: 'Lia Exemplo',
        id_beneficiario: `EX-${id}`,
        data_nascimento: null,
        sexo: null,
        plano: null,
        operadora: null,
        versao: 1,
      }),
  })
  const router = createMemoryRouter([{ path: '/', element: <Stage /> }])
  // A transition long enough for the next press to come before its end.
  render(
    <MantineProvider
      theme={{ components: { Modal: { defaultProps: { transitionProps: { duration: 60_000 } } } } }}
    >
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const dialog = () => within(screen.getByRole('dialog', { hidden: true }))
  const fill = async (name: string, code: string) => {
    await userEvent.type(dialog().getByLabelText(/^Nome do beneficiário/), name)
    await userEvent.type(dialog().getByLabelText(/^ID do beneficiário/), code)
    await userEvent.click(dialog().getByRole('button', { name: 'Gravar', hidden: true }))
  }
  await userEvent.click(screen.getByText('Cadastrar mais um'))
  await fill('Lia Exemplo', 'EX-1')
  await waitFor(() => expect(of('POST')).toHaveLength(1))
  expect(dialog().getByLabelText<HTMLInputElement>(/^Nome do beneficiário/).value).toBe('Lia Exemplo')

  await userEvent.click(screen.getByText('Cadastrar mais um'))
  expect(dialog().getByLabelText<HTMLInputElement>(/^Nome do beneficiário/).value).toBe('')
  await fill('Rui Exemplo', 'EX-2')
  await waitFor(() => expect(of('POST')).toHaveLength(2))
  expect(of('POST')[1]?.body).toMatchObject({ nome_beneficiario: 'Rui Exemplo', id_beneficiario: 'EX-2' })
})
