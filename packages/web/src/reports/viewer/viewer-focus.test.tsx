import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { OpeningStatus } from './opening/opening-status.ts'
import { silentFrame } from './problems/viewer-problem.ts'
import { ViewerProblemPage } from './problems/viewer-problem-page.tsx'
import { ViewerNotice } from './viewer-notice.tsx'

/* Keyboard and screen reader users keep the focus in the viewer when the focused part unmounts. */

type Part = (status: OpeningStatus, change: (next: OpeningStatus) => void) => ReactNode

const Page = ({ part, isGone }: { part: Part; isGone: boolean }) => {
  const [status, setStatus] = useState<OpeningStatus>({
    phase: 'renderizado',
    notice: 'Não atualizou.',
    renewalFails: 'Não renovou.',
  })
  return (
    <MantineProvider>
      <MemoryRouter>
        <button type="button">Menu</button>
        <section tabIndex={-1} aria-label="Relatório">
          {!isGone && part(status, setStatus)}
        </section>
      </MemoryRouter>
    </MantineProvider>
  )
}

/** Returns a function that unmounts the part, as when a report reopens automatically. */
const show = (part: Part) => {
  const { rerender } = render(<Page part={part} isGone={false} />)
  return () => rerender(<Page part={part} isGone />)
}
const region = () => screen.getByRole('region', { name: 'Relatório' })
const notices = (status: OpeningStatus, change: (next: OpeningStatus) => void) => (
  <ViewerNotice
    status={status}
    retry={() => change({ phase: 'carregando' })}
    renew={() => undefined}
    dismiss={() => change({ phase: 'renderizado', renewalFails: status.renewalFails })}
  />
)
const problemPage = (status: OpeningStatus, change: (next: OpeningStatus) => void) =>
  status.phase === 'renderizado' && (
    <ViewerProblemPage
      problem={silentFrame}
      reopensAt={undefined}
      isReopening={false}
      retry={() => change({ phase: 'carregando' })}
    />
  )

test.each([
  ['Fechar aviso', notices],
  ['Tentar novamente', notices],
  ['Tentar novamente', problemPage],
])("'%s' unmounts on click and moves the focus to the viewer", async (name, part) => {
  show(part)
  await userEvent.click(screen.getByRole('button', { name }))
  expect(screen.queryByRole('button', { name })).toBeNull()
  expect(document.activeElement).toBe(region())
})

test('a problem page that unmounts with the focus inside moves it to the viewer', async () => {
  const leave = show(problemPage)
  await userEvent.tab()
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Tentar novamente' }))
  leave()
  expect(document.activeElement).toBe(region())
})

test('a problem page that unmounts without the focus does not move it', async () => {
  const leave = show(problemPage)
  await userEvent.tab()
  leave()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Menu' }))
})
