import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { SaveBar } from './save-bar.tsx'

const Bar = () => {
  const [count, setCount] = useState(2)
  return (
    <SaveBar
      count={count}
      done={undefined}
      isSaving={false}
      onSave={() => {}}
      onDiscard={() => setCount(0)}
    />
  )
}

test('Desfazer disappears, leaves the focus on Salvar and unsticks the bar', () => {
  const { container } = render(<Bar />, {
    wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider>,
  })
  expect(container.querySelector('[data-stuck]')).not.toBeNull()
  const undo = screen.getByRole('button', { name: 'Desfazer' })
  undo.focus()
  fireEvent.click(undo)
  expect(screen.queryByRole('button', { name: 'Desfazer' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Salvar' }))
  expect(container.querySelector('[data-stuck]')).toBeNull()
})
