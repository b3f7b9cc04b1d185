import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountPages } from '../../../../test/account-pages.tsx'
import { UnsubscribePage } from './unsubscribe-page.tsx'

const { answers, received, origin, open, reload } = accountPages()

const token = `5.1.${'a'.repeat(43)}`
const address = `/assinaturas/cancelamento?token=${token}`
const page = (saiu: boolean, assunto: string | null = 'Custos da semana') => ({
  status: 200,
  body: { assunto, email: 'a…@exemplo.com.br', saiu },
})
const invalid = {
  status: 400,
  body: {
    type: 'about:blank',
    title: 'Link inválido',
    status: 400,
    detail: 'Este link não vale.',
    codigo: 'link_invalido',
    idRequisicao: '1',
  },
}
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Deixar de receber' }))

test('the unsubscribe page says what is cancelled, and cancels it only when the button is pressed', async () => {
  answers[address] = page(false)
  open(UnsubscribePage, `/cancelar-assinatura?token=${token}`)
  await screen.findByRole('heading', { name: 'Cancelar assinatura' })
  expect(screen.getByText('Custos da semana')).toBeDefined()
  // Also of a subscription that only one person receives.
  expect(screen.getByText(/Se outras pessoas também recebem, nada muda para elas\.$/)).toBeDefined()
  expect(received).toHaveLength(1)
  answers[address] = { status: 204 }
  press()
  await screen.findByRole('heading', { name: 'Pronto: assinatura cancelada' })
  expect(received).toHaveLength(2)
})

test('the unsubscribe page takes the token out of the address, and survives a reload', async () => {
  answers[address] = page(false)
  open(UnsubscribePage, `/cancelar-assinatura?token=${token}`)
  await screen.findByRole('button', { name: 'Deixar de receber' })
  expect(window.location.href).toBe(`${origin()}/cancelar-assinatura`)
  reload(UnsubscribePage)
  await screen.findByRole('button', { name: 'Deixar de receber' })
})

test('a second click on the link says that it was cancelled before', async () => {
  answers[address] = page(true)
  open(UnsubscribePage, `/cancelar-assinatura?token=${token}`)
  await screen.findByRole('heading', { name: 'Esta assinatura já foi cancelada' })
  expect(screen.queryByRole('button', { name: 'Deixar de receber' })).toBeNull()
})

test('the unsubscribe page names no report that the recipient may not see any more', async () => {
  answers[address] = page(false, null)
  open(UnsubscribePage, `/cancelar-assinatura?token=${token}`)
  await screen.findByText(/não vai mais receber esta assinatura por e-mail/)
})

test('the unsubscribe page says what to do about a link that was cut', async () => {
  answers[address] = invalid
  open(UnsubscribePage, `/cancelar-assinatura?token=${token}`)
  await screen.findByRole('heading', { name: 'Este link não é válido' })
})

test('the unsubscribe page asks for the link of the e-mail without a token', async () => {
  open(UnsubscribePage, '/cancelar-assinatura')
  await screen.findByRole('heading', { name: 'Abra de novo o link do e-mail' })
  expect(received).toEqual([])
})
