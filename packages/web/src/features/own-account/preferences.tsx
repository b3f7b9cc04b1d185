import { PAGE_SIZES } from '@bi-manager/contract'
import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useState } from 'react'
import { pageSizeOf, rememberedPageSize, rememberPageSize } from '../../lib/lists/page-size.ts'
import shared from '../../ui/shared.module.css'
import classes from './own-account.module.css'

const schemes = [
  { value: 'light', label: 'Claro' },
  { value: 'dark', label: 'Escuro' },
  { value: 'auto', label: 'Sistema' },
] as const

/** Preferences stored in this browser only. */
export const Preferences = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [size, setSize] = useState(rememberedPageSize)
  return (
    <section className={classes.card} aria-labelledby="preferencias">
      <div>
        <h2 id="preferencias" className={shared.heading}>
          Preferências
        </h2>
        <p className={shared.smallNote}>Valem neste aparelho.</p>
      </div>
      <div className={classes.preference}>
        <p id="preferencia-tema" className={classes.preferenceName}>
          Tema
        </p>
        <SegmentedControl
          aria-labelledby="preferencia-tema"
          data={[...schemes]}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </div>
      <div className={classes.preference}>
        <p id="preferencia-linhas" className={classes.preferenceName}>
          Linhas por página nas listas
        </p>
        <SegmentedControl
          aria-labelledby="preferencia-linhas"
          data={PAGE_SIZES.map(String)}
          value={String(size)}
          onChange={(chosen) => {
            const known = pageSizeOf(chosen)
            if (known === undefined) return
            rememberPageSize(known)
            setSize(known)
          }}
        />
      </div>
    </section>
  )
}
