import { capacitiesApi } from '@bi-manager/contract'
import type { SimulatedAzureCapacity } from '@bi-manager/server/test/stand-ins/azure-capacities'
import { endRefresh, refreshInProgress } from '@bi-manager/server/test/stand-ins/microsoft-refreshes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { choose, dialogOf, download, press } from '../../pages/back-office.ts'
import { capacityAdmin, startWithCapacity } from '../../services/capacity-tenant.ts'

/* A capacity of a simulated Azure, from its registration to its hours. */

const azure: SimulatedAzureCapacity = {
  id: '/subscriptions/548b7fb7-3b2a-4f46-bb02-66473f1fc22c/resourceGroups/bi/providers/Microsoft.Fabric/capacities/producao',
  sku: 'F2',
  state: 'Active',
  capacityId: 'c',
}

let started: Awaited<ReturnType<typeof startWithCapacity>>
beforeAll(async () => {
  started = await startWithCapacity(azure)
}, 120_000)
afterAll(() => started?.stop())

test('an ADMIN registers a capacity, pauses, resizes and starts it, and sees its hours', {
  timeout: 180_000,
}, async () => {
  const visitor = await visit({ portal: started.portal, ...looks[0] })
  const { page, main } = visitor
  await visitor.enter(capacityAdmin, '/capacidades')
  await main.getByText(/^Nenhuma capacidade cadastrada ainda/).waitFor()
  await main.getByRole('link', { name: 'Cadastrar capacidade' }).first().click()
  await page.getByLabel('Nome').fill('Produção')
  await choose(page, 'Power Bi', 'Matriz')
  await page.getByLabel('ID do recurso no Azure').fill('producao')
  for (const day of ['Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta'])
    await page.getByRole('checkbox', { name: day }).check()
  await page.getByLabel('Inicia às').fill('08:00')
  await page.getByLabel('Pausa às').fill('19:00')
  await page.getByLabel('Tamanho ao iniciar').fill('f8')
  await page.getByLabel('Tamanho no fim').fill('A2')
  await page.getByRole('combobox', { name: 'Feriados' }).fill('31/02/2027')
  await page.keyboard.press('Enter')
  await main.getByText('Informe datas válidas (dd/mm/aaaa).').waitFor()
  await page.getByRole('combobox', { name: 'Feriados' }).fill('25/12/2027')
  await page.keyboard.press('Enter')
  await page.getByLabel('Pausar após minutos sem uso').fill('60')
  visitor.expectComplaint(/422/)
  await press(page, 'Gravar')
  await main.getByText(/^Copie o ID do recurso do portal do Azure/).waitFor()
  await settled(visitor, 'a faulty capacity')
  await page.getByLabel('ID do recurso no Azure').fill(azure.id)
  visitor.expectComplaint(/422/)
  await press(page, 'Gravar')
  await main.getByText('Os tamanhos desta capacidade começam com F, como F2.').waitFor()
  await page.getByLabel('Tamanho no fim').fill('F2')
  await press(page, 'Gravar')
  await press(dialogOf(page, 'Capacidade cadastrada!'), 'Fechar')
  await main
    .getByText('Segunda a sexta, das 08:00 (F8) às 19:00 (F2)')
    .filter({ visible: true })
    .first()
    .waitFor()

  await page.getByRole('link', { name: 'Editar Produção' }).click()
  const state = page.getByRole('region', { name: 'Estado no Azure' })
  await state.getByText('Ativa', { exact: true }).waitFor()
  await settled(visitor, 'a running capacity')
  started.refreshes.history.unshift(refreshInProgress())
  visitor.expectComplaint(/409/)
  await press(state, 'Pausar')
  const question = dialogOf(page, 'Pausar esta capacidade?')
  await settled(visitor, 'the question before a pause')
  await press(question, 'Sim, pausar')
  await question
    .getByText(/^Uma atualização de “Custos”, do workspace “Saúde”, está em andamento desde as/)
    .waitFor()
  await settled(visitor, 'a pause refused during a refresh')
  expect(azure.state).toBe('Active')
  endRefresh(started.refreshes)
  await press(question, 'Tentar novamente')
  await state.getByText('Pausada', { exact: true }).waitFor()
  await press(state, 'Mudar o tamanho')
  const resize = dialogOf(page, 'Mudar o tamanho desta capacidade?')
  await resize.getByLabel('Tamanho').selectOption('F8')
  await press(resize, 'Mudar o tamanho')
  await state.getByText('F8').waitFor()
  await state.getByText('Pausada', { exact: true }).waitFor()
  expect([azure.state, azure.sku]).toEqual(['Paused', 'F8'])

  const starters = page.getByRole('region', { name: 'Quem inicia ao abrir um relatório' })
  await choose(page, 'Pessoas', 'Ana Prado')
  await starters.getByRole('list', { name: 'Pessoas autorizadas' }).getByText('Ana Prado').waitFor()
  const { idCapacidade } = (await started.call(capacitiesApi.list, { query: {} }))[0] ?? { idCapacidade: 0 }
  const allowed = await started.call(capacitiesApi.starters, { params: { id: idCapacidade } })
  expect(allowed.pessoas.map(({ idUsuario }) => idUsuario)).toEqual([started.reader.idUsuario])

  const hours = page.getByRole('region', { name: 'Horas de uso' })
  await hours.getByText('Ver em números').click()
  await hours.getByRole('columnheader', { name: 'Mês' }).waitFor()
  await settled(visitor, 'a paused capacity and its hours')
  const { name, bytes } = await download(hours, 'Exportar CSV')
  expect(name).toBe('horas-de-uso.csv')
  // One period: from the registration to the pause, at the size of that time.
  expect(bytes.toString().trim().split('\r\n').slice(1)).toEqual([expect.stringMatching(/;F2$/)])
  await press(state, 'Iniciar')
  await press(dialogOf(page, 'Iniciar esta capacidade?'), 'Sim, iniciar')
  await state.getByText('Ativa', { exact: true }).waitFor()
  expect(azure.state).toBe('Active')

  await visitor.goto('/auditoria')
  await main.getByText('Pausou uma capacidade').filter({ visible: true }).first().waitFor()
  await visitor.goto('/capacidades')
  await main.getByText('Ativa', { exact: true }).filter({ visible: true }).first().waitFor()
  await settled(visitor, 'the list of capacities')
  await visitor.close()
})
