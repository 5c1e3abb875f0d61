// Signing in, then back to the page that required it.
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { SignInForm } from '../../forms/sign-in-form.tsx';
import { paths } from '../../paths.ts';
import type { Me } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { PublicFrame, TextLink } from '../../ui/public-frame.tsx';

export default function SignInPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const { donus } = useSearch({ strict: false });
  const done = (me: Me) => {
    // Only a path of this console: a link cannot redirect to another site.
    const back = donus?.startsWith('/') && !donus.startsWith('//') ? donus : null;
    if (back) router.history.push(back.startsWith('/panel') ? back : `/panel${back}`);
    else void navigate({ to: me.account ? paths.overview() : paths.staffStatus() });
  };
  const below = (
    <>
      {t.signIn.noAccount} <TextLink to={paths.signUp()}>{t.signIn.signUp}</TextLink>
    </>
  );
  return (
    <PublicFrame title={t.signIn.title} below={below}>
      <SignInForm onDone={done} forgot={<TextLink to={paths.reset()}>{t.signIn.forgot}</TextLink>} />
    </PublicFrame>
  );
}
