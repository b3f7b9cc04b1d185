import { useSearchParams } from 'react-router'
import { recordIdOf } from '../../ui/record-form/record-page.tsx'

type Name = 'usuario' | 'relatorio'

/** The user and the report asked about, kept in the address, where links put them and Back finds them again. */
export const usePair = () => {
  const [params, setParams] = useSearchParams()
  return {
    usuario: recordIdOf(params.get('usuario')),
    relatorio: recordIdOf(params.get('relatorio')),
    choose: (name: Name, id: number | undefined) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (id === undefined) next.delete(name)
          else next.set(name, String(id))
          return next
        },
        { preventScrollReset: true },
      ),
  }
}
