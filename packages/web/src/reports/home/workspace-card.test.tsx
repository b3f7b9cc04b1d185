import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { linksOf } from '../menu/menu.ts'
import { WorkspaceCard } from './workspace-card.tsx'

test('a long name of a report is cut after two lines, and the pointer shows all of it', async () => {
  const nome = 'Acompanhamento mensal da sinistralidade por operadora, plano e faixa etária'
  const workspace = {
    workspace: 'Água',
    groupId: 'g',
    idGrupoRelatorio: 1,
    quantidade: 1,
    relatorios: [{ idRelatorio: 1, nome, reportId: 'r' }],
  }
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <WorkspaceCard menu={[workspace]} links={linksOf([workspace])} workspace={workspace} first={6} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const text = screen.getByText(nome)
  vi.spyOn(text, 'scrollHeight', 'get').mockReturnValue(80)
  await userEvent.hover(text)
  expect(text.title).toBe(nome)
})
