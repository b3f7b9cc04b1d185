// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { OpeningStatus } from './report-opening.ts'
import { ViewerNotice } from './viewer-notice.tsx'
import { silentFrame } from './viewer-problem.ts'
import { ViewerProblemPage } from './viewer-problem-page.tsx'

/* Whoever goes by keyboard or screen reader stays in the viewer when what they were on is taken away. */

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

/** Answers how to take the part away, as when a report opens by itself. */
const show = (part: Part) => {
  const { rerender } = render(<Page part={part} isGone={false} />)
  return () => rerender(<Page part={part} isGone />)
}
const region = () => screen.getByRole('region', { name: 'Relatório' })
const notices = (status: OpeningStatus, change: (next: OpeningStatus) => void) => (
  <ViewerNotice
    status={status}
    retry={() => change({ phase: 'carregando' })}
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
])('%s takes itself away, and the viewer has the focus', async (name, part) => {
  show(part)
  await userEvent.click(screen.getByRole('button', { name }))
  expect(screen.queryByRole('button', { name })).toBeNull()
  expect(document.activeElement).toBe(region())
})

test('so does a page that goes by itself, from whoever was in it', async () => {
  const leave = show(problemPage)
  await userEvent.tab()
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Tentar novamente' }))
  leave()
  expect(document.activeElement).toBe(region())
})

test('nobody else loses the focus', async () => {
  const leave = show(problemPage)
  await userEvent.tab()
  leave()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Menu' }))
})
