import { type Embed, factories, Report, service } from 'powerbi-client'

type EmbedConfig = Embed['config']
type Wpmp = service.Service['wpmp']
type MessageHandler = Parameters<Wpmp['addHandler']>[0]

/**
 * powerbi-client's service, made to accept one configured origin besides Microsoft's, which alone the client embeds
 * from (`validateEmbedUrl`, no switch). Every other origin goes to the client and stays refused.
 *
 * It leans on members that the client's typings mark hidden: the version is pinned, bi-service.test.ts guards them.
 */
export class BiService extends service.Service {
  readonly #trustedOrigin: string | null
  readonly #handlers = new WeakMap<Embed, MessageHandler[]>()
  readonly #frames = new Set<Embed>()
  /** Whether the report last asked for in a frame is to be prepared only. */
  readonly #phased = new WeakMap<HTMLElement, boolean>()

  constructor(trustedOrigin: string | null) {
    super(factories.hpmFactory, factories.wpmpFactory, factories.routerFactory)
    this.#trustedOrigin = trustedOrigin
    this.#guardMessages()
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
      config.type === 'report' && this.#isTrusted(config.embedUrl)
        ? this.#embedTrusted(host, config, phasedRender, isBootstrap)
        : super.embedInternal(element, config, phasedRender, isBootstrap),
    )
    confine(embed.iframe)
    this.#handlers.set(embed, handlers)
    this.#frames.add(embed)
    // A load that waits for the frame's page would be in the phase of the bootstrap: the report would be drawn unfiltered first.
    const load = embed.load.bind(embed)
    embed.load = () => load(this.#phased.get(element))
    raiseLoadErrors(embed)
    return embed
  }

  /**
   * Tells a frame what its next load will be, which fetches it meanwhile. A message of our own: it goes to the configured origin
   * alone, and to a frame of that origin, since it carries the token.
   */
  prefetch({ iframe, config: shown }: Embed, config: EmbedConfig): void {
    const isSame = originOf(shown.embedUrl ?? '') === originOf(config.embedUrl ?? '')
    if (!isSame || !this.#isTrusted(config.embedUrl) || !iframe.contentWindow) return
    // What it answers changes nothing: the load asks for whatever has not come.
    this.hpm.post('/report/prefetch', config, {}, iframe.contentWindow).catch(() => undefined)
  }

  /** Also forgets the message handler that each embed leaves behind in the client, and with it the report. */
  override reset(element: HTMLElement): void {
    const embed = (element as service.IPowerBiElement).powerBiEmbed
    super.reset(element)
    if (!embed) return
    this.#frames.delete(embed)
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
    // An iframe handed over is not judged by its address; the client listens for its load.
    const report = new Report(this, host, config, phasedRender, isBootstrap, iframe)
    const address = new URL(report.config.embedUrl ?? '')
    address.searchParams.set('uid', report.config.uniqueId ?? '')
    iframe.src = address.href
    host.replaceChildren(iframe)
    host.powerBiEmbed = report
    this.addOrOverwriteEmbed(report, host)
    return report
  }

  #isTrusted(embedUrl: string | undefined): boolean {
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
   * The client hears any window and posts to any origin. Here only our own frames are heard, and given a token, each under
   * the origin that it was made for alone: the portal's policy lets it go to no other, and a blocked frame is another.
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

/** All that a report does but one: without `allow-top-navigation`, no link in it leads the portal's window away. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals'

/** The client puts its frame into the page before we see it. What a frame may do holds for the load that begins afterwards. */
const confine = <F extends HTMLIFrameElement | undefined>(iframe: F): F => {
  if (!iframe || iframe.getAttribute('sandbox') === SANDBOX) return iframe
  iframe.setAttribute('sandbox', SANDBOX)
  // Taken out and put back in the same task: the load that had begun is dropped before it has a page.
  iframe.parentElement?.append(iframe)
  return iframe
}

let shared: BiService | undefined

/** The one service of the app's life: each one made leaves a listener on the window for good. */
export const biService = (trustedOrigin: string | null): BiService => {
  shared ??= new BiService(trustedOrigin)
  return shared
}

export const originOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).origin : undefined

/**
 * The client drops the answer to its own load message; a refusal there becomes the `error` event it would be later. `answered`
 * says that it came: what the frame told before was of the report it showed before.
 */
const raiseLoadErrors = (embed: Embed): void => {
  const load = embed.load.bind(embed)
  const answered = () => void embed.element.dispatchEvent(new Event('answered'))
  embed.load = (phasedRender) =>
    load(phasedRender).then(answered, (detail: unknown) => {
      answered()
      embed.element.dispatchEvent(new CustomEvent('error', { detail }))
    })
}
