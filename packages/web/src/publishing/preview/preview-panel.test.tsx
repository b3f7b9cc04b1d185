import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PreviewPanel } from './preview-panel.tsx'

const previa = {
  reportId: 'r',
  embedUrl: 'https://x.exemplo/',
  embedToken: 't',
  expiration: '2026-01-01T00:00:00Z',
}

const show = (more: Partial<Parameters<typeof PreviewPanel>[0]>) =>
  render(
    <MantineProvider env="test">
      <PreviewPanel
        Preview={({ nomeRelatorio }) => <p>o relatório {nomeRelatorio}</p>}
        previa={previa}
        nomeRelatorio="Custos"
        isFaulty={false}
        error={undefined}
        onRenew={() => {}}
        {...more}
      />
    </MantineProvider>,
  )

test('the panel draws the report', () => {
  show({})
  screen.getByText('o relatório Custos')
  screen.getByText('Só você a vê; nada foi publicado.')
})

test('the panel keeps the report while its definition has errors', () => {
  show({ isFaulty: true })
  screen.getByText('o relatório Custos')
  screen.getByText('Como era antes do erro.')
})

test('the panel says when it will appear, as long as there was no definition without errors', () => {
  show({ previa: undefined, isFaulty: true })
  screen.getByText('A prévia aparece quando a definição não tem erros.')
})

test('the panel says why it cannot be drawn, and tries again', () => {
  show({ previa: undefined, error: 'O serviço não respondeu.' })
  expect(screen.getByRole('alert').textContent).toBe('O serviço não respondeu.')
  screen.getByRole('button', { name: 'Tentar novamente' })
})
