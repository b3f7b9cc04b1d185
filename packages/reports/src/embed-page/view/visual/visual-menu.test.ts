import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { type MenuOwner, openMenu } from './visual-menu.ts'
import type { Picture } from './visual-picture.ts'

const visual = { name: 'por_uf', type: 'bar', title: 'Custo: por estado' } as EmbeddedVisual
const saved: string[] = []

beforeEach(() => {
  // happy-dom lacks the popover API.
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} })
  saved.length = 0
  vi.stubGlobal(
    'ClipboardItem',
    class {
      readonly content: Record<string, Promise<Blob>>
      constructor(content: Record<string, Promise<Blob>>) {
        this.content = content
      }
    },
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = (more: Partial<MenuOwner>) => {
  const button = document.createElement('button')
  document.body.replaceChildren(button)
  const say = vi.fn()
  const trigger = vi.fn()
  openMenu(button, {
    visual: () => visual,
    valueFormats: {},
    data: () => undefined,
    rows: () => undefined,
    commands: () => [],
    trigger,
    picture: () => undefined,
    asTable: undefined,
    say,
    ...more,
  })
  const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const press = (name: string) => items.find(({ textContent }) => textContent === name)?.click()
  return { texts: items.map(({ textContent }) => textContent), press, say, trigger }
}

test("the visual menu lists the embedder's commands after its own exports, and triggers the chosen one", () => {
  const { texts, press, trigger } = open({
    commands: () => [{ name: 'xlsx', title: 'Exportar dados (XLSX)' }],
    picture: () => ({}) as Picture,
  })
  expect(texts).toEqual(['Exportar dados (CSV)', 'Exportar dados (XLSX)', 'Copiar como imagem'])
  press('Exportar dados (XLSX)')
  expect(trigger).toHaveBeenCalledWith('xlsx')
})

test('the visual menu offers no picture of what cannot be drawn', () => {
  expect(open({}).texts).toEqual(['Exportar dados (CSV)'])
})

describe("'Copiar como imagem'", () => {
  const blob = new Blob(['x'], { type: 'image/png' })
  const drawn = vi.fn()
  beforeEach(() => {
    // The page has no canvas here: the drawing itself is tested in a browser.
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
      scale: drawn,
      fillRect: drawn,
      fillText: drawn,
      // As in canvas-fixture.ts: the context outlives this file.
      measureText: (text: string) => ({ width: text.length * 6 }),
    } as never)
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(blob))
    Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() }, configurable: true })
  })
  const picture = (): Picture => ({
    element: document.createElement('section'),
    body: document.createElement('div'),
    title: 'Custo',
    verdict: '',
    subtitle: undefined,
    theme: undefined,
    chart: undefined,
    caption: { report: 'Custos', page: 'Geral', dataTime: '', filters: [] },
  })
  const clipboard = (write: (items: { content: Record<string, Promise<Blob>> }[]) => Promise<void>) =>
    vi.stubGlobal('navigator', { ...navigator, clipboard: { write } })

  test("'Copiar como imagem' passes the picture to the clipboard within the click, before it is drawn", async () => {
    let item: Record<string, Promise<Blob>> | undefined
    clipboard(async ([first]) => {
      item = first?.content
    })
    const { press, say } = open({ picture })
    press('Copiar como imagem')
    expect(item).toBeDefined()
    expect(await item?.['image/png']).toBe(blob)
    await vi.waitFor(() => expect(say).toHaveBeenCalledWith('Imagem copiada.'))
    expect(saved).toEqual([])
  })

  test.each([
    ['refuses', () => clipboard(() => Promise.reject(new DOMException('no', 'NotAllowedError')))],
    ['has no clipboard', () => vi.stubGlobal('navigator', { clipboard: undefined })],
  ])("'Copiar como imagem' saves the picture where the browser %s", async (_how, prepare) => {
    prepare()
    const { press, say } = open({ picture })
    press('Copiar como imagem')
    await vi.waitFor(() => expect(saved).toEqual(['Custo por estado.png']))
    expect(say).toHaveBeenCalledWith(
      'O navegador não deixou copiar. A imagem foi salva nos seus downloads: Custo por estado.png',
    )
  })

  test("'Copiar como imagem' says that it could not be drawn", async () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(null))
    clipboard(async ([first]) => void (await first?.content['image/png']))
    const { press, say } = open({ picture })
    press('Copiar como imagem')
    await vi.waitFor(() =>
      expect(say).toHaveBeenCalledWith('Não foi possível desenhar a imagem. Tente novamente.'),
    )
  })
})
