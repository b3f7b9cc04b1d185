import { systemStatusApi } from '@bi-manager/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { callInBackground } from '../../lib/api/api.ts'
import shared from '../../ui/shared.module.css'
import classes from './attention-list.module.css'
import { attentionTitles } from './status-text.ts'
import { systemStatusKey } from './system-status-queries.ts'

/** What an administrator should look at, on the home page; null when there is nothing. */
export const AttentionList = () => {
  const { data } = useQuery({
    queryKey: [...systemStatusKey, 'atencao'],
    queryFn: ({ signal }) => callInBackground(systemStatusApi.attention, {}, { signal }),
    // The page of an item may have settled it.
    refetchOnMount: 'always',
    retry: false,
  })
  if (!data || data.length === 0) return null
  return (
    <section aria-labelledby="atencao" className={`${shared.surface} ${classes.card}`}>
      <h2 id="atencao" className={`${shared.row} ${shared.heading}`}>
        <IconAlertTriangle size={22} stroke={1.6} aria-hidden className={classes.icon} />
        Precisa de atenção
      </h2>
      <ul className={classes.items}>
        {data.map(({ assunto, frase, rota }) => (
          <li key={assunto}>
            <Link to={rota} className={`${shared.menuLink} ${classes.item}`}>
              <strong>{attentionTitles[assunto]}</strong>
              <span className={shared.dimmed}>{frase}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
