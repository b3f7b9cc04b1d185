import { ReportPoint } from '@bi-manager/contract'
import { type Embed, factories, Report, service } from 'powerbi-client'
import { onPortalScheme, portalScheme } from './portal-scheme.ts'

type EmbedConfig = Embed['config']
type Wpmp = service.Service['wpmp']
type MessageHandler = Parameters<Wpmp['addHandler']>[0]

/**
 * Extends powerbi-client's service to accept one configured origin besides Microsoft's hosts. The
 * client's own `validateEmbedUrl` refuses every other origin and has no option to extend its list.
 * Uses members that the client's typings mark as hidden: the version is pinned, and
 * bi-service.test.ts checks that they exist.
 */
export class BiService extends service.Service {
  readonly #trustedOrigin: string | null
  readonly #handlers = new WeakMap<Embed, MessageHandler[]>()
  readonly #frames = new Set<Embed>()
  /** Frames whose page follows the portal's theme. */
  readonly #following = new Set<Embed>()
  /** Whether the last report requested in a frame is only prepared, not drawn. */
  readonly #phased = new WeakMap<HTMLElement, boolean>()

  constructor(trustedOrigin: string | null) {
    super(factories.hpmFactory, factories.wpmpFactory, factories.routerFactory)
    this.#trustedOrigin = trustedOrigin
    this.#guardMessages()
    onPortalScheme(() => {
      for (const embed of this.#following) this.#sendScheme(embed)
    })
  }

  // embed(), load() and bootstrap() all end here.
  override embedInternal(
    element: HTMLElement,
    config: EmbedConfig = {},
    phasedRender?: boolean,
    isBootstrap?: boolean,
  ): Embed {
    const host = element as service.IPowerBiElement
    this.#phased.set(element, phasedRender === true)
    if (host.powerBiEmbed) return super.embedInternal(element, config, phasedRender, isBootstrap)
    const handlers: MessageHandler[] = []
    const embed = this.#collecting(handlers, () =>
      config.type === 'report' && this.isTrusted(config.embedUrl)
        ? this.#embedTrusted(host, config, phasedRender, isBootstrap)
        : super.embedInternal(element, config, phasedRender, isBootstrap),
    )
    confine(embed.iframe)
    this.#handlers.set(embed, handlers)
    this.#frames.add(embed)
    // A load queued until the frame's page is ready would take the phase of the bootstrap, and the
    // report would first be drawn without its filters.
    const load = embed.load.bind(embed)
    embed.load = () => load(this.#phased.get(element))
    raiseLoadErrors(embed)
    return embed
  }

  /**
   * Makes a frame fetch the report of its next load in advance. The message is not part of Power
   * BI's protocol and carries the token: it goes only to a frame of the configured origin.
   */
  prefetch({ iframe, config: shown }: Embed, config: EmbedConfig): void {
    const isSame = originOf(shown.embedUrl ?? '') === originOf(config.embedUrl ?? '')
    if (!isSame || !this.isTrusted(config.embedUrl) || !iframe.contentWindow) return
    // Errors are ignored: the load fetches what is missing.
    this.hpm.post('/report/prefetch', config, {}, iframe.contentWindow).catch(() => undefined)
  }

  /**
   * Sends the portal's theme to a frame whose page is ready, now and at each change: a frame of the
   * configured origin only. The message is not part of Power BI's protocol, which has none for it,
   * and WebKit passes no `color-scheme` into a frame.
   */
  keepScheme(embed: Embed): void {
    this.#following.add(embed)
    this.#sendScheme(embed)
  }

  /**
   * Returns the data point that is selected in a frame of the configured origin, if beneficiaries
   * can be listed behind it. The message is not part of Power BI's protocol.
   */
  async selectedPoint({ iframe, config }: Embed): Promise<ReportPoint | undefined> {
    if (!this.isTrusted(config.embedUrl) || !iframe.contentWindow) return undefined
    // A service of the previous version refuses the message: it lists no beneficiaries.
    const answer = await this.hpm
      .get<unknown>('/report/selectedPoint', {}, iframe.contentWindow)
      .catch(() => undefined)
    return ReportPoint.safeParse(answer?.body).data
  }

  #sendScheme({ iframe, config }: Embed): void {
    if (!this.isTrusted(config.embedUrl) || !iframe.contentWindow) return
    // A service of the previous version refuses the message: its page keeps the browser's theme.
    this.hpm.put('/report/colorScheme', portalScheme(), {}, iframe.contentWindow).catch(() => undefined)
  }

  /** Also removes the message handlers that the client keeps, which would retain the report. */
  override reset(element: HTMLElement): void {
    const embed = (element as service.IPowerBiElement).powerBiEmbed
    super.reset(element)
    if (!embed) return
    this.#frames.delete(embed)
    this.#following.delete(embed)
    for (const handler of this.#handlers.get(embed) ?? []) this.wpmp.removeHandler(handler)
  }

  #embedTrusted(
    host: service.IPowerBiElement,
    config: EmbedConfig,
    phasedRender?: boolean,
    isBootstrap?: boolean,
  ): Report {
    const iframe = document.createElement('iframe')
    Object.assign(iframe.style, { width: '100%', height: '100%', border: '0' })
    iframe.title = 'Relatório'
    iframe.setAttribute('scrolling', 'no')
    iframe.setAttribute('allowfullscreen', 'true')
    iframe.setAttribute('sandbox', SANDBOX)
    // For 'Copiar como imagem' in the menus of visuals.
    iframe.setAttribute('allow', 'clipboard-write')
    // The client does not validate the address of an iframe passed in; it waits for its `load`
    // event.
    const report = new Report(this, host, config, phasedRender, isBootstrap, iframe)
    const address = new URL(report.config.embedUrl ?? '')
    address.searchParams.set('uid', report.config.uniqueId ?? '')
    address.searchParams.set('colorScheme', portalScheme())
    iframe.src = address.href
    host.replaceChildren(iframe)
    host.powerBiEmbed = report
    this.addOrOverwriteEmbed(report, host)
    return report
  }

  /** Returns whether an address is of the configured origin: the local service's. */
  isTrusted(embedUrl: string | undefined): boolean {
    return (
      this.#trustedOrigin !== null && embedUrl !== undefined && originOf(embedUrl) === this.#trustedOrigin
    )
  }

  #collecting<T>(handlers: MessageHandler[], work: () => T): T {
    const addHandler = this.wpmp.addHandler
    this.wpmp.addHandler = (handler) => {
      handlers.push(handler)
      addHandler.call(this.wpmp, handler)
    }
    try {
      return work()
    } finally {
      this.wpmp.addHandler = addHandler
    }
  }

  /**
   * The client accepts messages from any window and posts to any origin. This restricts both to our
   * own frames and to the origin each was created for: the portal's CSP allows no other, and a
   * frame that the CSP blocked has a different origin.
   */
  #guardMessages(): void {
    const originBehind = (source: unknown) => {
      const embed = [...this.#frames].find(({ iframe }) => iframe?.contentWindow === source)
      return originOf(embed?.config.embedUrl ?? '')
    }
    const isHeard = (event: MessageEvent) => {
      const origin = event.source === null ? undefined : originBehind(event.source)
      return origin !== undefined && event.origin === origin
    }
    Object.assign(this.wpmp, { isReceivedMessageValid: isHeard })
    const post = this.wpmp.postMessage.bind(this.wpmp)
    this.wpmp.postMessage = <T>(target: Window, message: unknown, origin?: string) => {
      return post<T>(target, message, originBehind(target) ?? origin)
    }
  }
}

/** Without `allow-top-navigation`, so that no link in a report can navigate the portal's window. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals'

/**
 * The client appends its frame before this code sees it; a sandbox applies to the next load only.
 */
const confine = <F extends HTMLIFrameElement | undefined>(iframe: F): F => {
  if (!iframe || iframe.getAttribute('sandbox') === SANDBOX) return iframe
  iframe.setAttribute('sandbox', SANDBOX)
  // Re-appending in the same task cancels the load that has begun and starts one under the sandbox.
  iframe.parentElement?.append(iframe)
  return iframe
}

const originOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).origin : undefined

/**
 * The client ignores the response to its load message; this turns a refusal into an `error` event.
 * The `answered` event marks the response: earlier events belong to the previous report.
 */
const raiseLoadErrors = (embed: Embed): void => {
  const load = embed.load.bind(embed)
  const dispatch = (event: Event) => void embed.element.dispatchEvent(event)
  embed.load = (phasedRender) =>
    load(phasedRender).then(
      () => {
        dispatch(new Event('answered'))
        dispatch(new Event('accepted'))
      },
      (detail: unknown) => {
        dispatch(new Event('answered'))
        dispatch(new CustomEvent('error', { detail }))
      },
    )
}
