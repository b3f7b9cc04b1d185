import { FILLED_SHADE, logoAddress, ON_DARK_SHADE, PRODUCT_NAME, shadesOf } from '@bi-manager/contract'
import { inHtml } from '../lib/in-html.ts'
import type { Brand } from './brand.ts'

/** Returns the page with the company's name, logo and colour, which need no script this way. */
export const brandedPage = (page: string, { nome, cor, logo, size }: Brand, nonce: string): string => {
  const name = inHtml(nome ?? PRODUCT_NAME)
  const styles = [...(cor ? colorStyles(cor) : []), ...(logo && size ? logoStyles(size) : [])]
  const attributes = `${nome ? ` data-nome="${name}"` : ''}${logo ? ` data-logo="${logoAddress(logo)}"` : ''}`
  const touchIcon = iconOf({ logo, size })
  const icon = logo && `<link rel="icon" type="image/png" href="${logoAddress(logo)}" />`
  return page
    .replace(/<html /, () => `<html${attributes} `)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${name}</title>`)
    .replace(/<link rel="icon"[^>]*>/, (usual) => icon ?? usual)
    .replace(/(<meta name="description" content=")[^:"]*/, (_, before: string) => before + name)
    .replace(/(<link rel="apple-touch-icon" href=")[^"]*/, (usual, before: string) =>
      touchIcon ? before + touchIcon.src : usual,
    )
    .replace(/(<img src=")\/favicon\.svg("[^>]*>)<span>[^<]*/, (_, before: string, after: string) =>
      [before, logo ? logoAddress(logo) : '/favicon.svg', after, '<span>', name].join(''),
    )
    .replace('</head>', (end) =>
      styles.length > 0 ? `<style nonce="${nonce}">${styles.join('\n')}</style>\n${end}` : end,
    )
}

/** Returns `render` with its last result kept: the look changes rarely, and pages are many. */
export const keepLast = (render: (brand: Brand) => string): ((brand: Brand) => string) => {
  let last: { look: string; page: string } | undefined
  return (brand) => {
    const look = JSON.stringify(brand)
    if (last?.look !== look) last = { look, page: render(brand) }
    return last.page
  }
}

/** Returns the page that is shown without a network: name and colour are all that it can have. */
export const brandedOfflinePage = (page: string, { nome, cor }: Brand): string =>
  page
    .replaceAll('__NOME__', () => inHtml(nome ?? PRODUCT_NAME))
    .replaceAll('__COR__', () => cor ?? '#0b5c58')

/** The side in pixels that browsers ask of an application's icon, at least. */
const ICON_SIDE = 192

/**
 * Returns the logo as the icon of the installed application, if it is square and large enough: any
 * other logo would be cropped or blurred.
 */
const iconOf = ({ logo, size }: Pick<Brand, 'logo' | 'size'>) =>
  logo && size && size.width === size.height && size.width >= ICON_SIDE
    ? { src: logoAddress(logo), sizes: `${size.width}x${size.height}`, type: 'image/png' }
    : undefined

/** Returns the web manifest, of the installed application. */
export const brandedManifest = (manifest: string, { nome, cor, logo, size }: Brand): string => {
  const icon = iconOf({ logo, size })
  return JSON.stringify({
    ...(JSON.parse(manifest) as object),
    ...(nome && { name: nome, short_name: nome }),
    ...(cor && { background_color: cor, theme_color: cor }),
    ...(icon && { icons: [icon] }),
  })
}

/** More specific than the rules of Mantine, whose element comes later in the document. */
const root = 'html:root[data-mantine-color-scheme]'

const colorStyles = (color: string): string[] => {
  const shades = shadesOf(color)
  const [, faint, soft, , , , , , , deep] = shades
  const own = shades.map((shade, index) => `--mantine-color-brand-${index}:${shade}`).join(';')
  const dark = `color-mix(in srgb, ${deep} 60%, #141d1f)`
  return [
    `${root}{${own};--mantine-color-brand-outline-hover:${shades[ON_DARK_SHADE]}1a;--brand-pane:${pane(shades)};--brand-picture:grayscale(1)}`,
    `${root}[data-mantine-color-scheme=light]{--surface-active:${faint};--text-active:${deep}}`,
    `${root}[data-mantine-color-scheme=dark]{--surface-active:${dark};--text-active:${soft};--mantine-color-brand-light:${dark};--mantine-color-brand-light-hover:color-mix(in srgb, ${deep} 75%, #141d1f)}`,
  ]
}

/** The background next to the sign-in form: dark enough for its small text. */
const pane = (shades: string[]): string => {
  const [color, deep] = [shades[FILLED_SHADE], shades[FILLED_SHADE + 1]]
  return `radial-gradient(60rem 40rem at 85% -10%, ${color}, transparent 60%), linear-gradient(155deg, ${deep} 0%, color-mix(in srgb, ${deep} 70%, #000) 100%)`
}

/** The logo of a company is on white in both looks, as wide as it needs to be. */
const logoStyles = ({ width, height }: { width: number; height: number }): string[] => [
  `img[src^="${logoAddress('')}"]{box-sizing:border-box;width:auto;max-width:10rem;aspect-ratio:${width}/${height};padding:2px;border-radius:6px;background:#fff;object-fit:contain}`,
]
