import { Link, Outlet } from 'react-router'
import { BrandMark } from '../../ui/brand-mark.tsx'
import classes from './public-frame.module.css'

/** The frame of pages without a session. */
export const PublicFrame = () => (
  <div className={classes.frame}>
    <header className={classes.header}>
      <Link to="/" className={classes.brand}>
        <BrandMark size={28} />
        BI Manager
      </Link>
    </header>
    <main className={classes.main}>
      <Outlet />
    </main>
    <footer className={classes.footer}>
      <Link to="/privacidade">Aviso de privacidade</Link>
    </footer>
  </div>
)
