import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { estimate } from './estimator.ts'
import { PasswordStrength, strengthOf } from './password-strength.tsx'

const Page = () => {
  const [password, setPassword] = useState('')
  return (
    <MantineProvider env="test">
      <input
        aria-label="Senha"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordStrength password={password} name="Helena Duarte" email="helena@clinica.com.br" />
    </MantineProvider>
  )
}

test('the password strength announces the strength in a live region, which is empty while the field is empty', async () => {
  const { container } = render(<Page />)
  const region = container.querySelector('[aria-live="polite"]')
  expect(region?.textContent).toBe('')
  const field = screen.getByRole('textbox', { name: 'Senha' })
  fireEvent.change(field, { target: { value: 'helena.duarte' } })
  await screen.findByText('Fraca.', {}, { timeout: 5_000 })
  expect(region?.textContent).toBe(
    'Força da senha: Fraca. A senha não deve ser o seu nome, o seu e-mail ou o nome do portal.',
  )
  fireEvent.change(field, { target: { value: 'cadeira verde no telhado do moinho' } })
  await screen.findByText('Forte.', {}, { timeout: 5_000 })
  expect(region?.textContent).toBe('Força da senha: Forte. Difícil de adivinhar.')
  fireEvent.change(field, { target: { value: '' } })
  expect(region?.textContent).toBe('')
})

test.each([
  ['aB3$xyz', 'Fraca'],
  ['senha123', 'Fraca'],
  ['qwertyuiop', 'Fraca'],
  ['gatoazul7', 'Razoável'],
  ['Mesa4!ruas', 'Boa'],
  ['tR7#pq2LxVw9', 'Forte'],
])('the password strength rates %s as %s', (password, level) => {
  const strength = strengthOf(password, estimate(password, []))
  expect(strength.level).toBe(level)
  expect(strength.text).toMatch(/^[A-ZÉ].*\.$/)
})

test('the password strength estimates a long password in under three seconds of CPU time', () => {
  const before = process.threadCpuUsage()
  estimate('aá1! '.repeat(40), ['Helena'])
  // Thread CPU time in µs, independent of the machine's load; unlimited it takes a minute.
  expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000)
})
