"""A language model of random weights on a server of llama.cpp: `python tests/support/tiny_model.py FILE` writes the
model to FILE, prints the address of the server, and goes on until the end of its standard input."""

import sys
from pathlib import Path

BYTES = [f"<0x{number:02X}>" for number in range(256)]
WIDTH, INNER, HEADS, CONTEXT = 32, 64, 2, 32_768


def write(path: Path) -> None:
    """Write a model of one layer, whose tokens are single bytes, and a blank."""
    import numpy as np
    from gguf import GGUFWriter, TokenType

    tokens = ["<unk>", "<s>", "</s>", *BYTES, "▁"]
    model = GGUFWriter(path, "llama")
    model.add_context_length(CONTEXT)
    model.add_embedding_length(WIDTH)
    model.add_block_count(1)
    model.add_feed_forward_length(INNER)
    model.add_head_count(HEADS)
    model.add_head_count_kv(HEADS)
    model.add_layer_norm_rms_eps(1e-5)
    model.add_rope_dimension_count(WIDTH // HEADS)
    model.add_vocab_size(len(tokens))
    model.add_tokenizer_model("llama")
    model.add_token_list(tokens)
    model.add_token_scores([0.0] * len(tokens))
    model.add_token_types(
        [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL, *[TokenType.BYTE] * len(BYTES), TokenType.NORMAL]
    )
    model.add_bos_token_id(1)
    model.add_eos_token_id(2)
    model.add_add_space_prefix(False)
    model.add_chat_template("{% for message in messages %}{{ message['content'] }}\n{% endfor %}")
    weights = np.random.default_rng(1)
    shapes = {
        "token_embd": (len(tokens), WIDTH),
        "output": (len(tokens), WIDTH),
        **{f"blk.0.attn_{name}": (WIDTH, WIDTH) for name in ("q", "k", "v", "output")},
        "blk.0.ffn_gate": (INNER, WIDTH),
        "blk.0.ffn_up": (INNER, WIDTH),
        "blk.0.ffn_down": (WIDTH, INNER),
    }
    for name, shape in shapes.items():
        model.add_tensor(f"{name}.weight", weights.standard_normal(shape).astype(np.float32))
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        model.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
    model.write_header_to_file()
    model.write_kv_data_to_file()
    model.write_tensors_to_file()
    model.close()


def serve(path: Path) -> None:
    """Serve the model in `path` on loopback."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
    serve(Path(sys.argv[1]))
