import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { ViewerNotice } from './viewer-notice.tsx'

const renewalFails = 'Confirme que é você para continuar vendo este relatório.'

const show = (
  status: { notice?: string; needsReauthentication?: boolean; lacksIdentity?: boolean },
  viewAs?: number,
) => {
  const [retry, renew] = [vi.fn(), vi.fn()]
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <ViewerNotice
          status={{ phase: 'renderizado', renewalFails, ...status }}
          retry={retry}
          renew={renew}
          dismiss={() => undefined}
          viewAs={viewAs}
        />
      </MemoryRouter>
    </MantineProvider>,
  )
  return { retry, renew }
}
const again = () => screen.queryByRole('button', { name: 'Tentar novamente' })

test('the viewer notice renews the access when the portal requires re-authentication, and keeps the report', async () => {
  const { retry, renew } = show({ needsReauthentication: true })
  expect(screen.getByText(renewalFails)).toBeDefined()
  await userEvent.click(again() ?? document.body)
  expect([renew.mock.calls.length, retry.mock.calls.length]).toEqual([1, 0])
  expect(screen.queryByRole('button', { name: 'Fechar aviso' })).toBeNull()
})

test('the viewer notice offers nothing while the portal renews the access by itself', () => {
  show({})
  expect(again()).toBeNull()
})

test('the viewer notice opens the report again after an error of the report', async () => {
  const { retry, renew } = show({ notice: 'O serviço de BI não respondeu.' })
  await userEvent.click(again() ?? document.body)
  expect([renew.mock.calls.length, retry.mock.calls.length]).toEqual([0, 1])
})

test("the viewer notice tells an ADMIN that the identity of the person is missing, with a link to the person's form", () => {
  startSession({ ...signedInUntil(Date.now() + 600_000), tipo: 'ADMIN' })
  show({ lacksIdentity: true }, 12)
  expect(screen.getByText(/dependem da Identidade de segurança.*cadastro desta pessoa/)).toBeDefined()
  const link = screen.getByRole('link', { name: 'Abrir o cadastro da pessoa' })
  expect(link.getAttribute('href')).toBe('/cadastrar-usuario/12')
})

test('the viewer notice tells an ADMIN without an identity which field is missing, with a link to the own form', () => {
  startSession({ ...signedInUntil(Date.now() + 600_000), tipo: 'ADMIN', usuario_id: 5 })
  show({ lacksIdentity: true })
  expect(screen.getByText(/dependem da Identidade de segurança, que falta no seu cadastro/)).toBeDefined()
  const link = screen.getByRole('link', { name: 'Abrir o meu cadastro' })
  expect(link.getAttribute('href')).toBe('/cadastrar-usuario/5')
})

test('the viewer notice tells a reader nothing more than the report itself does', () => {
  startSession({ ...signedInUntil(Date.now() + 600_000), tipo: 'USER' })
  show({ lacksIdentity: true })
  expect(screen.queryByText(/Identidade de segurança/)).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
})
