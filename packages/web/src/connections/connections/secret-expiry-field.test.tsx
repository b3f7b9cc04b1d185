import type { Connection } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expiryAfter, SecretExpiryField } from './secret-expiry-field.tsx'

const opened = { password: null, validadeSegredo: '31/01/2027' }

test('the date leaves the field with the first key of another password', () => {
  expect(expiryAfter('n', { values: opened, opened })).toBe('')
})

test('a date typed for the new password stays, also when it is the earlier one', () => {
  const values = { password: 'n', validadeSegredo: '31/01/2027' }
  expect(expiryAfter('no', { values, opened })).toBe('31/01/2027')
})

test.each(['', '30/06/2028', '3'])(
  "the earlier date returns with the earlier password, after '%s'",
  (validadeSegredo) => {
    const values = { password: 'novo', validadeSegredo }
    expect(expiryAfter(null, { values, opened })).toBe('31/01/2027')
  },
)

const show = (fields: Partial<Connection>, isOtherSecret: boolean) =>
  render(
    <MantineProvider env="test">
      <SecretExpiryField
        label="Validade do segredo"
        connection={fields as Connection}
        isOtherSecret={isOtherSecret}
        value=""
        onChange={() => {}}
        error={undefined}
      />
    </MantineProvider>,
  )

test('the secret expiry field shows the date that was read from Microsoft', () => {
  show({ segredoExpiraEm: '2031-01-31', leituraSegredo: 'lida' }, false)
  expect(screen.getByText(/^Lido do Microsoft Entra: vence em 31\/01\/2031\./)).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('')
})

test('the secret expiry field asks for the date of another secret, and no longer shows the earlier one as read', () => {
  show({ segredoExpiraEm: '2031-01-31', leituraSegredo: 'lida' }, true)
  expect(screen.queryByText(/^Lido do Microsoft Entra/)).toBeNull()
  expect(screen.getByRole('status').textContent).toBe(
    'A senha mudou: informe quando o segredo novo vence. O anterior vencia em 31/01/2031.',
  )
})

test('the secret expiry field says why the date could not be read', () => {
  show({ segredoExpiraEm: null, leituraSegredo: 'sem_permissao' }, false)
  expect(screen.getByText(/não tem permissão para o portal ler a data/)).toBeDefined()
})
