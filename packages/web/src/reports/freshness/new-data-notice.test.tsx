import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NewDataNotice } from './new-data-notice.tsx'
import { useNewData } from './use-new-data.ts'

const opened = Date.parse('2025-11-23T11:00:00Z')
beforeEach(() => void vi.useFakeTimers({ now: opened, shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

const refresh = vi.fn(async () => {})
afterEach(() => void refresh.mockReset())

interface ViewerProps {
  dataTime?: string | null
  report?: string
  isDrawn?: boolean
}

const Viewer = ({ dataTime = '2025-11-23T10:00:00Z', report = 'a', isDrawn = true }: ViewerProps) => {
  const newData = useNewData({ report, isDrawn, dataTime, refresh })
  return (
    <MantineProvider env="test">
      <button type="button" onClick={newData.refresh}>
        Atualizar
      </button>
      <NewDataNotice key={report} isNew={newData.isNew} load={newData.load} dismiss={newData.dismiss} />
    </MantineProvider>
  )
}
const later = '2025-11-23T11:05:00Z'
const offer = () => screen.queryByText('Há dados novos.')
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

test('the notice of new data offers data that are newer than the rows on the screen, and loads them', async () => {
  const { rerender } = render(<Viewer />)
  expect(offer()).toBeNull()
  await vi.advanceTimersByTimeAsync(6 * 60_000)
  rerender(<Viewer dataTime={later} />)
  expect(offer()).not.toBeNull()
  await press('Carregar')
  expect(refresh).toHaveBeenCalledOnce()
  expect(offer()).toBeNull()
})

test('the notice of new data offers the first refresh of a dataset whose history was empty', () => {
  const { rerender } = render(<Viewer dataTime={null} />)
  expect(offer()).toBeNull()
  rerender(<Viewer dataTime={later} />)
  expect(offer()).not.toBeNull()
})

test('the notice of new data offers nothing before the report is drawn, or for a report that was opened afterwards', async () => {
  const { rerender } = render(<Viewer isDrawn={false} dataTime={later} />)
  expect(offer()).toBeNull()
  await vi.advanceTimersByTimeAsync(6 * 60_000)
  rerender(<Viewer dataTime={later} />)
  expect(offer()).toBeNull()
})

test('the notice of new data goes away when the report is refreshed by its own button', async () => {
  const { rerender } = render(<Viewer />)
  rerender(<Viewer dataTime={later} />)
  await act(() => vi.advanceTimersByTimeAsync(6 * 60_000))
  await press('Atualizar')
  expect(offer()).toBeNull()
})

test('the notice of new data goes away when it is dismissed, and returns for newer data, also of before the dismissal', async () => {
  const { rerender } = render(<Viewer />)
  rerender(<Viewer dataTime={later} />)
  await act(() => vi.advanceTimersByTimeAsync(40 * 60_000))
  await press('Fechar aviso de dados novos')
  expect(offer()).toBeNull()
  rerender(<Viewer dataTime="2025-11-23T11:30:00Z" />)
  expect(offer()).not.toBeNull()
})

test('the notice of new data offers the data of another report, although the same time was dismissed at the first', async () => {
  const { rerender } = render(<Viewer />)
  rerender(<Viewer dataTime={later} />)
  await press('Fechar aviso de dados novos')
  rerender(<Viewer report="b" dataTime={later} />)
  expect(offer()).not.toBeNull()
})

test.each([
  ['the viewer unmounts', undefined],
  ['another report opens', 'b'],
])('the notice does not refresh after waiting when %s', async (_, report) => {
  const { rerender, unmount } = render(<Viewer />)
  await press('Atualizar')
  rerender(<Viewer dataTime={later} />)
  await press('Carregar')
  if (report) rerender(<Viewer report={report} />)
  else unmount()
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the notice does not wait for the last refresh of another report', async () => {
  const { rerender } = render(<Viewer />)
  await press('Atualizar')
  rerender(<Viewer report="b" dataTime={later} />)
  await press('Carregar')
  expect(refresh).toHaveBeenCalledTimes(2)
})

test('the notice of new data waits until fifteen seconds after the last refresh', async () => {
  const { rerender } = render(<Viewer />)
  await press('Atualizar')
  rerender(<Viewer dataTime={later} />)
  await press('Carregar')
  await act(() => vi.advanceTimersByTimeAsync(13_000))
  expect(refresh).toHaveBeenCalledTimes(1)
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(refresh).toHaveBeenCalledTimes(2)
})

test.each([-3, 3])(
  'the notice of new data waits as long when the clock of the computer is corrected by %i hours',
  async (hours) => {
    const { rerender } = render(<Viewer />)
    await press('Atualizar')
    vi.setSystemTime(opened + hours * 3_600_000)
    rerender(<Viewer dataTime={later} />)
    await press('Carregar')
    await act(() => vi.advanceTimersByTimeAsync(13_000))
    expect(refresh).toHaveBeenCalledTimes(1)
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    expect(refresh).toHaveBeenCalledTimes(2)
  },
)

test('the notice of new data says why the report was not refreshed, and stays', async () => {
  refresh.mockRejectedValueOnce(new Error('O relatório não respondeu.'))
  const { rerender } = render(<Viewer />)
  rerender(<Viewer dataTime={later} />)
  await press('Carregar')
  expect(screen.getByRole('alert').textContent).toBe('O relatório não respondeu.')
  expect(offer()).not.toBeNull()
})
