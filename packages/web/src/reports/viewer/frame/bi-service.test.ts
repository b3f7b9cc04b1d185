import { Embed, factories, Report, service } from 'powerbi-client'
import { version } from 'powerbi-client/package.json'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BiService } from './bi-service.ts'

const origin = 'http://localhost:4599'
const uniqueId = 'relatorio'

// The frames load no page in this test; without this, happy-dom prints an error for each.
const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true
const config = (embedUrl: string) => ({
  type: 'report',
  id: '5b218778-e7a5-4d73-8187-f10824047715',
  embedUrl,
  accessToken: 'token',
  uniqueId,
})

describe('members of powerbi-client that BiService uses', () => {
  test('the members exist in the pinned version', () => {
    expect(version).toBe('2.24.1')
    const methods = ['embedInternal', 'embed', 'load', 'bootstrap', 'reset', 'addOrOverwriteEmbed'] as const
    for (const method of methods) expect(service.Service.prototype[method], method).toBeTypeOf('function')
    for (const method of ['load', 'setAccessToken', 'setComponentTitle', 'on', 'off'] as const)
      expect(Embed.prototype[method], method).toBeTypeOf('function')
    for (const method of ['setFilters', 'render', 'refresh', 'print'] as const)
      expect(Report.prototype[method], method).toBeTypeOf('function')
  })

  test('the message proxy asks isReceivedMessageValid for every message', () => {
    const proxy = factories.wpmpFactory()
    const isReceivedMessageValid = vi.fn(() => false)
    expect(proxy).toHaveProperty('isReceivedMessageValid')
    Object.assign(proxy, { isReceivedMessageValid })
    window.dispatchEvent(new MessageEvent('message', { data: {} }))
    expect(isReceivedMessageValid).toHaveBeenCalledTimes(1)
    expect(proxy.addHandler).toBeTypeOf('function')
    expect(proxy.removeHandler).toBeTypeOf('function')
  })
})

describe('BiService', () => {
  let bi: BiService
  let element: HTMLElement

  beforeEach(() => {
    bi = new BiService(origin)
    // The client answers messages of strangers, too; happy-dom rejects their origins.
    vi.spyOn(window, 'postMessage').mockImplementation(() => undefined)
    // Detached, because happy-dom would fetch the page of each attached frame.
    element = document.createElement('div')
  })
  afterEach(() => {
    bi.reset(element)
  })

  test('BiService embeds from the trusted origin, with the id in the address', () => {
    bi.embed(element, config(`${origin}/reportEmbed?reportId=1`))
    expect(element.querySelector('iframe')?.src).toBe(
      `${origin}/reportEmbed?reportId=1&uid=${uniqueId}&colorScheme=light`,
    )
  })

  test.each([`${origin}/reportEmbed?reportId=1`, 'https://app.powerbi.com/reportEmbed?reportId=1'])(
    'BiService sandboxes the frame of %s before its page loads',
    (embedUrl) => {
      const loads: (string | null)[] = []
      const append = element.append.bind(element)
      // Appending a frame starts its load; the last append decides under which sandbox it loads.
      element.append = (frame) => {
        if (frame instanceof HTMLIFrameElement) loads.push(frame.getAttribute('sandbox'))
        append(frame as Node)
      }
      bi.embed(element, config(embedUrl))
      const frame = element.querySelector('iframe')
      expect(element.children).toHaveLength(1)
      expect(frame?.getAttribute('sandbox')?.split(' ')).toEqual([
        'allow-scripts',
        'allow-same-origin',
        'allow-forms',
        'allow-popups',
        'allow-popups-to-escape-sandbox',
        'allow-downloads',
        'allow-modals',
      ])
      if (embedUrl.startsWith(origin)) expect(loads).toEqual([])
      else expect(loads).toEqual([frame?.getAttribute('sandbox')])
    },
  )

  test("BiService embeds from Microsoft's host through the client's own code", () => {
    bi.embed(element, config('https://app.powerbi.com/reportEmbed?reportId=1'))
    expect(element.querySelector('iframe')?.src).toContain('https://app.powerbi.com/reportEmbed')
  })

  test.each([
    'https://evil.example/reportEmbed',
    'http://localhost:4598/reportEmbed',
    `${origin}.evil.example/x`,
  ])('BiService refuses %s', (embedUrl) => {
    expect(() => bi.embed(element, config(embedUrl))).toThrow(/Invalid embed URL/)
    expect(element.querySelector('iframe')).toBeNull()
  })

  test('BiService refuses every host but Microsoft when no trusted origin is configured', () => {
    expect(() => new BiService(null).embed(element, config(`${origin}/reportEmbed`))).toThrow(
      /Invalid embed URL/,
    )
  })

  test('BiService keeps one iframe when another report is embedded in the same element', () => {
    bi.bootstrap(element, { type: 'report', embedUrl: `${origin}/reportEmbed`, uniqueId })
    const iframe = element.querySelector('iframe')
    bi.embed(element, config(`${origin}/reportEmbed?reportId=1`))
    bi.embed(element, config(`${origin}/reportEmbed?reportId=2`))
    expect(element.querySelectorAll('iframe')).toHaveLength(1)
    expect(element.querySelector('iframe')).toBe(iframe)
  })

  test.each([
    ['prepares', 'load', '/report/prepare'],
    ['draws', 'embed', '/report/load'],
  ] as const)('%s a report that was requested before the page of its frame loaded', (_, how, path) => {
    const post = vi.spyOn(bi.hpm, 'post').mockResolvedValue({ body: {}, statusCode: 202 } as never)
    bi.bootstrap(element, { type: 'report', embedUrl: `${origin}/reportEmbed`, uniqueId })
    bi[how](element, config(`${origin}/reportEmbed?reportId=1`))
    element.querySelector('iframe')?.dispatchEvent(new Event('load'))
    expect(post.mock.calls.map(([url]) => url)).toEqual([path])
  })

  test('BiService removes its message handlers on reset', () => {
    const handlers = () => (bi.wpmp as unknown as { handlers: unknown[] }).handlers.length
    const before = handlers()
    for (let round = 0; round < 5; round += 1) {
      bi.embed(element, config(`${origin}/reportEmbed`))
      expect(handlers()).toBe(before + 1)
      bi.reset(element)
    }
    expect(handlers()).toBe(before)
  })

  test.each([origin, 'https://app.powerbi.com'])(
    'BiService accepts events from its own frame of %s and from that origin only',
    (own) => {
      const report = bi.embed(element, config(`${own}/reportEmbed`))
      const onLoaded = vi.fn()
      report.on('loaded', onLoaded)
      const send = (source: Window | null, from: string) =>
        window.dispatchEvent(
          new MessageEvent('message', {
            source,
            origin: from,
            data: {
              method: 'POST',
              url: `/reports/${uniqueId}/events/loaded`,
              headers: { id: '1' },
              body: {},
            },
          }),
        )
      const frame = giveWindow(element)
      send(window, own)
      send(null, own)
      // The portal's CSP forbids the frame to navigate to another Microsoft host, too.
      for (const stranger of ['https://evil.example', 'https://other.powerbi.com', 'null', ''])
        send(frame, stranger)
      expect(onLoaded).toHaveBeenCalledTimes(0)
      send(frame, own)
      expect(onLoaded).toHaveBeenCalledTimes(1)
    },
  )

  test.each([origin, 'https://app.powerbi.com'])(
    'BiService posts a token to the frame of %s with that origin as target',
    (own) => {
      const report = bi.embed(element, config(`${own}/reportEmbed`))
      const { postMessage } = giveWindow(element)
      void report.setAccessToken('new token')
      expect(postMessage).toHaveBeenCalledTimes(1)
      expect(postMessage).toHaveBeenCalledWith(expect.objectContaining({ body: 'new token' }), own)
    },
  )

  test('BiService sends prefetch messages to frames of the trusted origin only', () => {
    const at = (embedUrl: string) => ({ ...config(embedUrl), uniqueId: 'proximo' })
    const report = bi.embed(element, config(`${origin}/reportEmbed`))
    const { postMessage } = giveWindow(element)
    bi.prefetch(report, at(`${origin}/reportEmbed`))
    expect(postMessage).toHaveBeenCalledTimes(1)
    const message = { method: 'POST', url: '/report/prefetch', body: at(`${origin}/reportEmbed`) }
    expect(postMessage).toHaveBeenCalledWith(expect.objectContaining(message), origin)
    // A token of one service must not reach the frame of another.
    bi.prefetch(report, at('https://app.powerbi.com/reportEmbed'))
    bi.reset(element)
    const theirs = bi.embed(element, config('https://app.powerbi.com/reportEmbed'))
    const { postMessage: postThere } = giveWindow(element)
    for (const host of [origin, 'https://app.powerbi.com']) bi.prefetch(theirs, at(`${host}/reportEmbed`))
    expect(postMessage).toHaveBeenCalledTimes(1)
    expect(postThere).not.toHaveBeenCalled()
  })

  test("BiService sends the portal's theme to ready frames of the trusted origin only: in the address, now, at each change", async () => {
    const root = document.documentElement
    const setScheme = (scheme: string) => root.setAttribute('data-mantine-color-scheme', scheme)
    setScheme('dark')
    const ours = bi.embed(element, config(`${origin}/reportEmbed`))
    expect(new URL(element.querySelector('iframe')?.src ?? '').searchParams.get('colorScheme')).toBe('dark')
    const theirs = document.createElement('div')
    const strange = bi.embed(theirs, config('https://app.powerbi.com/reportEmbed'))
    expect(theirs.querySelector('iframe')?.src).not.toContain('colorScheme')
    const { postMessage } = giveWindow(element)
    const { postMessage: postThere } = giveWindow(theirs)
    setScheme('light')
    await settle()
    expect(postMessage).not.toHaveBeenCalled()
    for (const embed of [ours, strange]) bi.keepScheme(embed)
    expect(postMessage).toHaveBeenCalledTimes(1)
    setScheme('dark')
    await vi.waitFor(() => expect(postMessage).toHaveBeenCalledTimes(2))
    setScheme('light')
    await vi.waitFor(() => expect(postMessage).toHaveBeenCalledTimes(3))
    const message = { method: 'PUT', url: '/report/colorScheme', body: 'light' }
    expect(postMessage).toHaveBeenLastCalledWith(expect.objectContaining(message), origin)
    expect(postThere).not.toHaveBeenCalled()
    bi.reset(theirs)
    root.removeAttribute('data-mantine-color-scheme')
  })

  test('BiService turns a refused load into an error event', async () => {
    const report = bi.embed(element, config(`${origin}/reportEmbed`))
    const onError = vi.fn()
    report.on('error', (event) => onError(event.detail))
    vi.spyOn(bi.hpm, 'post').mockRejectedValue({ body: { message: 'InvalidParameters' } })
    report.iframeLoaded = true
    await report.load()
    expect(onError).toHaveBeenCalledWith({ message: 'InvalidParameters' })
  })
})

/** Waits until observers of the document have been called. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

/** happy-dom creates no `contentWindow` for a frame whose loading is disabled. */
const giveWindow = (element: HTMLElement) => {
  const frame = element.querySelector('iframe')
  // An assignment would call the setter of the global window, which all of these would share.
  const view = Object.create(window, { postMessage: { value: vi.fn() } }) as Window
  if (frame) Object.defineProperty(frame, 'contentWindow', { value: view })
  return view
}
