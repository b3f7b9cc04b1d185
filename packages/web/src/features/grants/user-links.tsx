import { Button } from '@mantine/core'
import { IconEye, IconHelpCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './grants.module.css'

/** Links to 'Por que vê?' and 'Ver como' of a user. */
export const UserLinks = ({ idUsuario }: { idUsuario: number }) => (
  <div className={classes.links}>
    <Button
      variant="default"
      component={Link}
      to={`/permissoes/porque?usuario=${idUsuario}`}
      leftSection={<IconHelpCircle size={18} aria-hidden />}
    >
      Por que vê?
    </Button>
    <Button
      variant="default"
      component={Link}
      to={`/permissoes/ver-como/${idUsuario}`}
      leftSection={<IconEye size={18} aria-hidden />}
    >
      Ver como
    </Button>
  </div>
)
