const browsers: readonly [name: string, mark: RegExp][] = [
  // Browsers whose User-Agent also contains 'Chrome' or 'Safari' come first.
  ['Edge', /\b(?:Edg|EdgA|EdgiOS|Edge)\//],
  ['Opera', /\b(?:OPR|Opera|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
]

const systems: readonly [name: string, mark: RegExp][] = [
  ['no iPhone', /\biPhone\b/],
  ['no iPad', /\biPad\b/],
  ['no Android', /\bAndroid\b/],
  ['no Windows', /\bWindows\b/],
  ['no Chromebook', /\bCrOS\b/],
  ['no Mac', /\bMac(?:intosh| OS X)\b/],
  ['no Linux', /\bLinux\b|\bX11\b/],
]

/** Returns a readable device name for a User-Agent: 'Chrome no Windows'. */
export const deviceName = (userAgent: string | null): string => {
  if (!userAgent) return 'Aparelho não identificado'
  const find = (kinds: typeof browsers) => kinds.find(([, mark]) => mark.test(userAgent))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser || system) return [browser ?? 'Navegador', system].filter(Boolean).join(' ')
  // Programs that call the API: `curl/8.5.0`, `python-requests/2.31`.
  const program = /^([\w.-]+)(?:\/|\s|$)/.exec(userAgent)?.[1]
  return program && program !== 'Mozilla' ? `Programa ${program}` : 'Navegador não identificado'
}

/** Returns whether the device is a phone or tablet, to choose its icon. */
export const isHandheld = (userAgent: string | null): boolean =>
  /\b(?:iPhone|iPad|Android|Mobile)\b/.test(userAgent ?? '')
