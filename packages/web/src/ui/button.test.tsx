import { MantineProvider, TagsInput } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Button } from './button.tsx'
import { Form } from './form.tsx'

const press = vi.fn()
const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())

const App = (props: { loading?: boolean; disabled?: boolean }) => (
  <MantineProvider env="test">
    <form onSubmit={submit}>
      <input aria-label="Nome" />
      <Button type="submit" onClick={press} {...props}>
        Gravar
      </Button>
    </form>
  </MantineProvider>
)
const attribute = (name: string) => button().getAttribute(name)
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Gravar' })

test('the button keeps the focus while it is loading, and ignores presses and Enter in a field', async () => {
  const { rerender } = render(<App />)
  await userEvent.click(button())
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1])
  rerender(<App loading disabled />)
  expect(document.activeElement).toBe(button())
  expect([button().disabled, attribute('aria-disabled'), attribute('aria-busy')]).toEqual([
    false,
    'true',
    'true',
  ])
  await userEvent.keyboard('{Enter}')
  await userEvent.click(button())
  await userEvent.type(screen.getByLabelText('Nome'), 'x{Enter}')
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1])
  rerender(<App />)
  await userEvent.click(button())
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([2, 2])
})

test('the button is disabled when it is not loading', () => {
  render(<App disabled />)
  expect([button().disabled, attribute('aria-disabled')]).toEqual([true, null])
})

const saved = vi.fn()

const Roles = ({ type }: { type: 'submit' | 'button' }) => {
  const [roles, setRoles] = useState<string[]>([])
  const save = () => saved(roles)
  return (
    <MantineProvider env="test">
      <Form onSubmit={save}>
        <TagsInput label="Papéis" value={roles} onChange={setRoles} />
        <Button type={type} {...(type === 'button' && { onClick: save })}>
          Gravar
        </Button>
      </Form>
    </MantineProvider>
  )
}

test.each(['submit', 'button'] as const)(
  'the button takes the focus at the click, and a %s press sees what the field then holds',
  async (type) => {
    saved.mockClear()
    const user = userEvent.setup()
    render(<Roles type={type} />)
    const field = screen.getByLabelText('Papéis', { selector: 'input' })
    await user.type(field, 'Operadora')
    await user.pointer({ keys: '[MouseLeft>]', target: button() })
    expect(document.activeElement).toBe(field)
    await user.pointer({ keys: '[/MouseLeft]', target: button() })
    expect(document.activeElement).toBe(button())
    expect(saved.mock.calls).toEqual([[['Operadora']]])
  },
)
