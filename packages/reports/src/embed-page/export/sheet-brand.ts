import type { SheetBrand } from '../../wire/sheet-brand.ts'
import { el } from '../view/style/dom.ts'

/** Returns the logo and the name for the header of a sheet; undefined without both. */
export const brandMark = async ({ name, logo }: SheetBrand): Promise<HTMLElement | undefined> => {
  const picture = logo ? await decoded(logo, name ? '' : 'Logo da empresa') : undefined
  if (!picture && !name) return undefined
  return el('p', { class: 'sheet-brand' }, picture, name && el('span', {}, name))
}

/** Returns a decoded picture, which is drawn at once; undefined for a damaged one. */
const decoded = async (png: string, alt: string): Promise<HTMLImageElement | undefined> => {
  const picture = el('img', { src: `data:image/png;base64,${png}`, alt })
  const isWhole = await picture.decode().then(
    () => true,
    () => false,
  )
  return isWhole ? picture : undefined
}
