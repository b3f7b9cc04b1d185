import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { UserBadges } from './user-badges.tsx'

const invited = {
  tipoUsuario: 'USER',
  situacao: 'ATIVO',
  convitePendente: true,
  segundoFator: false,
  emailComprovado: true,
  emailFalhouEm: null,
  emailFalhaMotivo: null,
  validoAte: null,
} as const
const show = (user: Parameters<typeof UserBadges>[0]) =>
  render(
    <MantineProvider env="test">
      <UserBadges {...user} />
    </MantineProvider>,
  )

test('the list of users shows that an invitation was sent', () => {
  show(invited)
  expect(screen.getByText('Convite pendente')).toBeTruthy()
  expect(screen.queryByText('E-mail não entregue')).toBeNull()
})

test('the list of users shows an invitation that was not delivered, with the reason and the time', () => {
  show({
    ...invited,
    emailFalhouEm: '2026-11-24T13:05:00.000Z',
    emailFalhaMotivo: 'O servidor de e-mail recusou o endereço (550): confira se ele está certo.',
  })
  expect(screen.getByText('E-mail não entregue')).toBeTruthy()
  expect(
    screen.getByText(
      'O servidor de e-mail recusou o endereço (550): confira se ele está certo. 24/11/2026 10:05',
    ),
  ).toBeTruthy()
  expect(screen.queryByText('Convite pendente')).toBeNull()
})

test.each([
  ['2999-12-31', 'Até 31/12/2999'],
  ['2020-01-31', 'Venceu em 31/01/2020'],
])('the list of users shows the last day of an account: %s', (validoAte, text) => {
  show({ ...invited, validoAte })
  expect(screen.getByText(text)).toBeTruthy()
})
