import { attachmentsApi, beneficiariesApi } from '@bi-manager/contract'
import { drawnPdf, writtenPdf } from '@bi-manager/server/test/clinical/pdfs'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll, type Size, sizes, visit } from '../../browser/visitor.ts'
import { closeDialog, dialogOf, download, press, waitUntilHidden } from '../../pages/back-office.ts'
import { attachmentForm, chooseBeneficiary, clinicalPanel, openPanel } from '../../pages/clinical-panel.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
/** Distinguishes this run's attachments from those of other journeys. */
const mark = crypto.randomUUID().slice(0, 8)

const laudo = () =>
  drawnPdf((document) => {
    document.fontSize(20).text('Laudo fictício, página 1')
    document.addPage().text('Laudo fictício, página 2')
  })
const withScript = writtenPdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' })
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

describe.each(sizes)('attachments on the %s', (size) => {
  test('attachments are uploaded with their files, found, viewed, downloaded and deleted', async () => {
    const { call, menu } = await signedInClient(portal, people.helena)
    const person = await call(beneficiariesApi.create, {
      body: { nome_beneficiario: `Pessoa Anexos ${size}`, id_beneficiario: `${mark}-${size}` },
    })
    const visitor = await visit({ size })
    const { page } = visitor
    await visitor.enter(people.helena, reportsOf(await menu())[0]?.path ?? '/')
    const photo = await noisyPhoto(page)
    await openPanel(page)

    // An attachment requires a beneficiary.
    const { tab, beneficiary } = clinicalPanel(page)
    const form = attachmentForm(page)
    await tab('Anexar arquivos').click()
    expect(await form.send.isDisabled()).toBe(true)
    await page.getByText('Para enviar, falta: Beneficiário, Título, Tipo, Descrição.').waitFor()
    await beneficiary.focus()
    await tab('Anexar arquivos').focus()
    await page.getByText('Campo obrigatório').waitFor()
    await chooseBeneficiary(page, person.id_beneficiario)
    await form.title.focus()
    await form.type.focus()
    await page.getByText('Campo obrigatório').waitFor()
    await page.getByRole('option', { name: 'IMG' }).waitFor()

    // An image on a slow connection: shows progress; the type is detected.
    if (size === 'desktop') await drop(page, 'exame.png', 'image/png', photo)
    else await photograph(page, photo)
    await page.getByAltText('Prévia da imagem escolhida').waitFor()
    await expect.poll(() => form.type.inputValue()).toBe('IMG')
    await form.describe('Radiografia', 'Joelho direito.')
    await expectAccessible(page, `form ${size}`)
    const line = await slowLine(page)
    await form.send.click()
    const seen = await progressSeen(page)
    await line.release()
    await form.sent.waitFor()
    expect(seen).toBeGreaterThan(0)
    expect(await form.title.inputValue()).toBe('')

    // A PDF, and an attachment without a file.
    await form.choose('laudo.pdf', 'application/pdf', await laudo())
    await form.pdfPreview.waitFor()
    await form.describe('Laudo', 'Tórax sem contraste.')
    await form.send.click()
    await form.sent.waitFor()
    await form.describe('Pedido', 'Sem arquivo ainda.')
    await form.type.click()
    await page.getByRole('option', { name: 'PDF' }).click()
    await form.send.click()
    await form.sent.waitFor()

    // An unreadable PDF has no preview; its worker is terminated.
    await form.choose('quebrado.pdf', 'application/pdf', Buffer.from('%PDF-1.7 e mais nada'))
    await page.getByRole('img', { name: 'Sem prévia' }).waitFor()
    await expect.poll(() => page.workers().length).toBe(0)

    // A file whose content does not match its name is refused on choice; the current one stays.
    const field = page.getByRole('group', { name: /^Arquivo/ })
    await form.choose('desenho.png', 'image/png', svg)
    await field
      .getByText(/^desenho\.png não foi anexado\. O conteúdo não é PNG.* Continua anexado: quebrado\.pdf\.$/)
      .waitFor()
    await press(page, 'Tirar o arquivo quebrado.pdf')
    await form.choose('vazio.pdf', 'application/pdf', Buffer.alloc(0))
    await field
      .getByText('vazio.pdf não foi anexado. O arquivo está vazio. Nenhum arquivo está anexado.')
      .waitFor()
    await expectAccessible(page, `file not taken ${size}`)

    // A file with a valid beginning is checked by the server: its refusal keeps the form.
    visitor.expectComplaint(/status of 415/)
    await form.describe('Hostil', 'Recusado.')
    await form.choose('laudo.pdf', 'application/pdf', withScript)
    await page.getByText('laudo.pdf', { exact: true }).waitFor()
    await form.send.click()
    await page.getByText(/O PDF traz um script/).waitFor()
    expect(await form.title.inputValue()).toBe('Hostil')
    await page.getByText('laudo.pdf', { exact: true }).waitFor()
    await expectNoSidewaysScroll(page)

    // This person's list: newest first, filtered by type.
    await tab('Anexos').click()
    const cards = page.getByRole('list', { name: 'Lista de anexos' }).getByRole('listitem')
    await expect.poll(() => cards.count()).toBe(3)
    await expectAccessible(page, `list ${size}`)
    await page.getByRole('searchbox', { name: /Buscar por tipo/ }).fill('img')
    await expect.poll(() => cards.count()).toBe(1)
    await cards.getByText('Joelho direito.').waitFor()
    await cards.getByText('Radiografia', { exact: true }).waitFor()

    await press(page, 'Detalhes de Radiografia')
    await lookAtImage(page, size)
    const [kept] = await call(attachmentsApi.list, { query: { beneficiario: person.id, busca: 'IMG' } })
    const saved = await download(form.details, 'Baixar')
    expect(saved.name).toBe(`anexo-${kept?.id}.png`)
    const keptFile = await call(attachmentsApi.file, { params: { id: kept?.id ?? 0 }, query: {} })
    expect(saved.bytes).toEqual(Buffer.from(await keptFile.arrayBuffer()))
    await closeDialog(form.details)

    await page.getByRole('searchbox', { name: /Buscar por tipo/ }).fill('')
    await expect.poll(() => cards.count()).toBe(3)
    await press(page, 'Detalhes de Laudo')
    await lookAtPdf(page, size)
    await page.keyboard.press('Escape')
    await waitUntilHidden(form.details)

    await press(page, 'Excluir Pedido')
    await dialogOf(page, 'Deseja mesmo excluir esse anexo?').waitFor()
    await page.getByRole('textbox', { name: 'Motivo' }).fill('Enviado por engano')
    await press(page, 'Sim, excluir')
    await closeDialog(form.deleted)
    await expect.poll(() => cards.count()).toBe(2)
    await visitor.close()
  })
})

/** Chooses a file as the phone's camera does. */
const photograph = async (page: Page, buffer: Buffer) => {
  await page.getByRole('button', { name: 'Tirar foto' }).waitFor()
  const camera = page.locator('input[capture="environment"]')
  await camera.setInputFiles({ name: 'image.png', mimeType: 'image/png', buffer })
}

const drop = async (page: Page, name: string, type: string, content: Buffer) => {
  const dataTransfer = await page.evaluateHandle(
    ({ name, type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name, { type }))
      return transfer
    },
    { name, type, base64: content.toString('base64') },
  )
  const zone = page.getByText('Arraste um arquivo para cá ou')
  await zone.dispatchEvent('dragenter', { dataTransfer })
  await zone.dispatchEvent('drop', { dataTransfer })
}

/** Returns a noisy, hence incompressible PNG of about 400 KB, slow to upload. */
const noisyPhoto = async (page: Page): Promise<Buffer> => {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 1600, height: 1200 })
    const context = canvas.getContext('2d')
    const noise = context?.createImageData(400, 300)
    if (!context || !noise) throw new Error('no canvas')
    for (let at = 0; at < noise.data.length; at += 1)
      noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 256
    context.putImageData(noise, 600, 450)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

/** Throttles the upload so that its progress is visible, until released. */
const slowLine = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  const set = (uploadThroughput: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await set(60_000)
  return { release: () => set(-1).then(() => devtools.detach()) }
}

const progressSeen = async (page: Page): Promise<number> => {
  const bar = page.getByRole('progressbar', { name: 'Enviando…' })
  const now = async () => Number(await bar.getAttribute('aria-valuenow'))
  await expect.poll(now).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Cancelar' }).waitFor()
  return now()
}

/** Returns the frame's scroll position and its content's width. */
const placeOf = (page: Page) =>
  page.getByRole('region', { name: /do anexo$/ }).evaluate(({ scrollLeft, scrollTop, scrollWidth }) => ({
    scrollLeft,
    scrollTop,
    scrollWidth,
  }))

const lookAtImage = async (page: Page, size: Size) => {
  const dialog = attachmentForm(page).details
  await dialog.getByRole('img', { name: 'Radiografia' }).waitFor()
  await dialog.getByText('60%').waitFor()
  await expectAccessible(page, `image ${size}`)
  const fitting = await placeOf(page)
  const slider = dialog.getByRole('slider', { name: 'Zoom' })
  await slider.focus()
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight')
  await dialog.getByText('80%').waitFor()
  const larger = await placeOf(page)
  expect(larger.scrollWidth).toBeGreaterThan(fitting.scrollWidth * 1.8)

  const frame = dialog.getByRole('region', { name: 'Imagem do anexo' })
  await frame.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  const moved = await placeOf(page)
  expect(moved.scrollLeft).toBeGreaterThan(larger.scrollLeft)
  const box = await frame.boundingBox()
  if (!box) throw new Error('the frame has no place')
  await page.mouse.move(box.x + 200, box.y + 100)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 100, { steps: 3 })
  await page.mouse.up()
  expect((await placeOf(page)).scrollLeft).toBeCloseTo(moved.scrollLeft + 80, -1)
  await frame.focus()
  await page.keyboard.press('-')
  await dialog.getByText('75%').waitFor()
  await page.keyboard.press('0')
  await dialog.getByText('60%').waitFor()
  expect(await placeOf(page)).toEqual(fitting)
}

const lookAtPdf = async (page: Page, size: Size) => {
  const dialog = attachmentForm(page).details
  const first = dialog.getByRole('img', { name: 'Laudo, página 1 de 2' })
  await first.waitFor()
  await expect.poll(() => inkOf(page)).toBeGreaterThan(0)
  await dialog.getByText('Página 1 de 2').waitFor()
  await expectAccessible(page, `pdf ${size}`)
  await press(dialog, 'Próxima página')
  await dialog.getByRole('img', { name: 'Laudo, página 2 de 2' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Próxima página' }).isDisabled()).toBe(true)
  await expect.poll(() => inkOf(page)).toBeGreaterThan(0)
  await page.keyboard.press('+')
  await dialog.getByText('65%').waitFor()
}

/** Returns the number of dark pixels of the rendered page, to detect a blank one. */
const inkOf = (page: Page): Promise<number> =>
  attachmentForm(page)
    .details.locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
      copy?.drawImage(canvas, 0, 0)
      const drawing = copy?.getImageData(0, 0, width, height)
      let dark = 0
      for (let at = 0; drawing && at < drawing.data.length; at += 4) {
        if ((drawing.data[at] ?? 255) < 128 && (drawing.data[at + 3] ?? 0) > 200) dark += 1
      }
      return dark
    })
