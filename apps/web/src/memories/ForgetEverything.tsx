import { useState } from "react";
import { Modal } from "../ui/Modal";

export function ForgetEverything({ onForget }: { onForget: () => void }) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <button
        type="button"
        className="button button-quiet button-small memories-forget"
        onClick={() => setAsking(true)}
      >
        Forget everything
      </button>
      {asking && (
        <Modal label="Forget everything?" className="dialog" onClose={close}>
          <h2>Forget everything?</h2>
          <p>
            All that Keepsake knows about you, its history, and what is not yet distilled will be
            gone for good. Your threads stay.
          </p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={close}>
              Keep it
            </button>
            <button
              type="button"
              className="button button-danger"
              onClick={() => {
                close();
                onForget();
              }}
            >
              Forget everything
            </button>
          </div>
        </Modal>
      )}
    </>
  );
}
