import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../../test/answers.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import { FormToFix } from './form-to-fix.tsx'
import type { ViewerProblem } from './viewer-problem.ts'

afterEach(() => vi.unstubAllGlobals())

const groupId = '22222222-aaaa-4222-8222-222222222222'
const reportId = '33333333-aaaa-4333-8333-333333333333'

const show = (form: ViewerProblem['form'], tipo: 'ADMIN' | 'USER', viewAs?: number) => {
  startSession({ ...signedInUntil(Date.now() + 600_000), tipo })
  const server = answerWith({
    'GET /api/usuarios/menus': () =>
      Response.json([{ groupId: groupId.toUpperCase(), relatorios: [{ idRelatorio: 7, reportId }] }]),
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <FormToFix
            problem={{ title: 't', detail: 'd', action: 'retry', ...(form && { form }) }}
            report={{ groupId, reportId }}
            viewAs={viewAs}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return server
}

test("the form to fix links an ADMIN to the report's form, found by its address", async () => {
  show('report', 'ADMIN')
  const link = await screen.findByRole('link', { name: 'Abrir o cadastro do relatório' })
  expect(link.getAttribute('href')).toBe('/RegisterworkspaceRelatorios/7')
})

test('the form to fix links an ADMIN who sees as a person to the form of that person', () => {
  show('person', 'ADMIN', 12)
  const link = screen.getByRole('link', { name: 'Abrir o cadastro da pessoa' })
  expect(link.getAttribute('href')).toBe('/cadastrar-usuario/12')
})

test.each([
  ['report', 'USER'],
  ['person', 'USER'],
  [undefined, 'ADMIN'],
] as const)('the form to fix shows no link for %s to %s, and asks for no menu', (form, tipo) => {
  const server = show(form, tipo)
  expect(screen.queryByRole('link')).toBeNull()
  expect(server.sent).toEqual([])
})
