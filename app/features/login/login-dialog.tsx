import { loginCopy as words } from "~/copy/account";
import { cancelLogin, type LoginReason, rememberAction, stopAskingToLogIn } from "~/state/dialog-requests";
import { Dialog } from "~/ui/dialog";
import { LoginForm } from "./login-form";

interface LoginDialogProps {
  reason: LoginReason;
  onError(sentence: string): void;
}

/** The login form in a dialog. `lazy` requires a default export. */
export default function LoginDialog({ reason, onError }: LoginDialogProps) {
  const finish = () => {
    rememberAction(reason);
    window.location.reload();
  };
  return (
    <Dialog closeLabel={words.close} description={words.reasons[reason]} onClose={cancelLogin} title={words.title}>
      <LoginForm onDone={finish} onError={onError} onLeave={stopAskingToLogIn} />
    </Dialog>
  );
}
