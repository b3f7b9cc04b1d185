import type { Browser } from 'puppeteer-core'

/** Pixels of a block's side: text of another font engine differs within a block, not beyond. */
const BLOCK = 20
/** Levels of 255 by which the mean colours of a block may differ. */
const LEVELS = 28

/**
 * Returns the share of blocks, 0 to 1, that differ between two pictures of a size. Fonts are drawn
 * differently by each browser, so pixels are not compared.
 */
export const differenceOf = async (browser: Browser, one: Uint8Array, other: Uint8Array): Promise<number> => {
  const page = await browser.newPage()
  try {
    const [first, second] = [one, other].map(
      (picture) => `data:image/png;base64,${Buffer.from(picture).toString('base64')}`,
    )
    return await page.evaluate(
      async (addresses, block, levels) => {
        const blocksOf = async (address: string) => {
          const image = new Image()
          image.src = address
          await image.decode()
          const columns = Math.ceil(image.width / block)
          const rows = Math.ceil(image.height / block)
          const canvas = document.createElement('canvas')
          canvas.width = columns
          canvas.height = rows
          const context = canvas.getContext('2d')
          if (!context) throw new Error('there is no canvas')
          context.imageSmoothingQuality = 'high'
          context.drawImage(image, 0, 0, columns, rows)
          return { columns, rows, data: context.getImageData(0, 0, columns, rows).data }
        }
        const [left, right] = await Promise.all(addresses.map(blocksOf))
        if (!left || !right || left.columns !== right.columns || left.rows !== right.rows) return 1
        let different = 0
        for (let at = 0; at < left.data.length; at += 4) {
          const most = Math.max(
            ...[0, 1, 2].map((color) =>
              Math.abs((left.data[at + color] ?? 0) - (right.data[at + color] ?? 0)),
            ),
          )
          if (most > levels) different += 1
        }
        return different / (left.data.length / 4)
      },
      [first ?? '', second ?? ''],
      BLOCK,
      LEVELS,
    )
  } finally {
    await page.close()
  }
}
