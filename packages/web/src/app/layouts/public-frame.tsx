import { Stack } from '@mantine/core'
import { Link, Outlet } from 'react-router'
import { brandName } from '../../lib/text/brand.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import classes from './public-frame.module.css'

/** The frame of pages without a session. */
export const PublicFrame = () => (
  <Stack gap={0} mih="100dvh">
    <header className={classes.header}>
      <Link to="/" className={classes.brand}>
        <BrandMark size={28} />
        {brandName}
      </Link>
    </header>
    <Stack component="main" flex={1} gap={0}>
      <Outlet />
    </Stack>
    <footer className={classes.footer}>
      <Link to="/privacidade">Aviso de privacidade</Link>
    </footer>
  </Stack>
)
