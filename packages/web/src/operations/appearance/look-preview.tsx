import { FILLED_SHADE, ON_DARK_SHADE, PRODUCT_NAME, shadesOf } from '@bi-manager/contract'
import { useMantineTheme } from '@mantine/core'
import type { CSSProperties } from 'react'
import shared from '../../ui/shared.module.css'
import classes from './appearance.module.css'

interface LookPreviewProps {
  name: string
  /** The brand colour; undefined for the product's, which is teal. */
  color: string | undefined
  logoUrl: string | undefined
}

/** Shows the portal, light and dark, with the name, colour and logo that are being edited. */
export const LookPreview = ({ name, color, logoUrl }: LookPreviewProps) => {
  const { teal = [] } = useMantineTheme().colors
  const shades = color ? shadesOf(color) : teal
  /** Shade 0 is the lightest, 9 the darkest, as in Mantine. */
  const shade = (index: number) => shades[index] ?? ''
  const looks = [
    { title: 'Claro', link: shade(FILLED_SHADE), active: shade(1), onActive: shade(9), scheme: 'light' },
    {
      title: 'Escuro',
      link: shade(ON_DARK_SHADE),
      active: `color-mix(in srgb, ${shade(9)} 60%, #141d1f)`,
      onActive: shade(2),
      scheme: 'dark',
    },
  ]
  return (
    <section aria-labelledby="previa" className={classes.preview}>
      <h2 id="previa" className={shared.subheading}>
        Prévia
      </h2>
      {looks.map(({ title, link, active, onActive, scheme }) => (
        <figure
          key={scheme}
          data-scheme={scheme}
          className={classes.look}
          style={
            {
              '--look-color': shade(FILLED_SHADE),
              '--look-link': link,
              '--look-active': active,
              '--look-on-active': onActive,
            } as CSSProperties
          }
        >
          <figcaption>{title}</figcaption>
          <div className={classes.screen} aria-hidden>
            <p className={classes.bar}>
              {logoUrl ? (
                <img src={logoUrl} alt="" className={classes.mark} />
              ) : (
                <img src="/favicon.svg" alt="" width={24} height={24} />
              )}
              <span>{name || PRODUCT_NAME}</span>
            </p>
            <div className={classes.content}>
              <ul>
                <li data-active>Internações</li>
                <li>Sinistralidade</li>
              </ul>
              <div>
                <p>
                  Veja o <span className={classes.link}>relatório</span> do mês.
                </p>
                <span className={classes.button}>Abrir</span>
              </div>
            </div>
          </div>
        </figure>
      ))}
    </section>
  )
}
