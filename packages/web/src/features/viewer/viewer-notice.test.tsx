import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ViewerNotice } from './viewer-notice.tsx'

const renewalFails = 'Confirme que é você para continuar vendo este relatório.'

const show = (status: { notice?: string; needsProof?: boolean }) => {
  const [retry, renew] = [vi.fn(), vi.fn()]
  render(
    <MantineProvider>
      <ViewerNotice
        status={{ phase: 'renderizado', renewalFails, ...status }}
        retry={retry}
        renew={renew}
        dismiss={() => undefined}
      />
    </MantineProvider>,
  )
  return { retry, renew }
}
const again = () => screen.queryByRole('button', { name: 'Tentar novamente' })

test('renews the access when the portal demands a proof of identity, and keeps the report', async () => {
  const { retry, renew } = show({ needsProof: true })
  expect(screen.getByText(renewalFails)).toBeDefined()
  await userEvent.click(again() ?? document.body)
  expect([renew.mock.calls.length, retry.mock.calls.length]).toEqual([1, 0])
  expect(screen.queryByRole('button', { name: 'Fechar aviso' })).toBeNull()
})

test('offers nothing while the portal renews the access by itself', () => {
  show({})
  expect(again()).toBeNull()
})

test('opens the report again after an error of the report', async () => {
  const { retry, renew } = show({ notice: 'O serviço de BI não respondeu.' })
  await userEvent.click(again() ?? document.body)
  expect([renew.mock.calls.length, retry.mock.calls.length]).toEqual([0, 1])
})
