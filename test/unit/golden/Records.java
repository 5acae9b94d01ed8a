// Writes what the unit tests are compared with, as Kafka's own classes make it:
//
//   java -cp "$(test/lib/kafka-jars)/*" test/unit/golden/Records.java DIRECTORY
//
// java_batches.txt: record batches ("name hex"); the records are those of golden_records() in batch_test.c.
// murmur2.txt:      "hex of a key, murmur2 of it as a signed number".
// errors.txt:       "error code, name".
// config_types.txt: "topic or broker, setting, type, default"; separated by tabs.
// topic_configs.txt: "setting, value, '-' if Kafka refuses it, else '+' and its normal form"; separated by tabs.

import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.*;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.storage.internals.log.LogConfig;

public class Records {
    static final long TIME = 1700000000000L;

    record Rec(long time, byte[] key, byte[] value, Header... headers) {}

    static byte[] text(String s) {
        return s.getBytes(StandardCharsets.UTF_8);
    }

    static List<Rec> mixed() {
        byte[] pattern = new byte[3000];
        for (int i = 0; i < pattern.length; i++)
            pattern[i] = (byte) (i * 7 + i / 251);
        List<Rec> list = new ArrayList<>();
        list.add(new Rec(TIME, text("key-0"), text("value-0")));
        list.add(new Rec(TIME + 5, null, text("v"), new RecordHeader("h1", text("x")), new RecordHeader("h1", text("y")),
            new RecordHeader("h2", (byte[]) null), new RecordHeader("", new byte[0])));
        list.add(new Rec(TIME - 10, new byte[0], null));
        list.add(new Rec(TIME + 1000000, new byte[] {0, -1, -128, 127}, text("h\u00e9llo \u2713")));
        list.add(new Rec(TIME + 1000000, text("k"), pattern));
        for (int i = 5; i < 100; i++)
            list.add(new Rec(TIME + i, text("key-" + i), text("value-" + i)));
        return list;
    }

    static List<Rec> large() {
        byte[] value = new byte[150000];
        for (int i = 0; i < value.length; i++)
            value[i] = (byte) ('a' + i % 26);
        return List.of(new Rec(TIME, text("large"), value));
    }

    static MemoryRecords build(List<Rec> list, Compression compression, TimestampType type, long appendTime, long pid,
            short epoch, int sequence, boolean transactional) {
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(1 << 20), RecordBatch.CURRENT_MAGIC_VALUE,
            compression, type, 0, appendTime, pid, epoch, sequence, transactional, RecordBatch.NO_PARTITION_LEADER_EPOCH);
        for (Rec r : list)
            builder.append(r.time, r.key == null ? null : ByteBuffer.wrap(r.key),
                r.value == null ? null : ByteBuffer.wrap(r.value), r.headers);
        return builder.build();
    }

    static MemoryRecords plain(List<Rec> list, Compression compression) {
        return build(list, compression, TimestampType.CREATE_TIME, -1, -1, (short) -1, -1, false);
    }

    static void line(PrintWriter out, String name, MemoryRecords records) {
        byte[] bytes = new byte[records.sizeInBytes()];
        records.buffer().duplicate().get(bytes);
        out.println(name + " " + HexFormat.of().formatHex(bytes));
    }

    static void batches(PrintWriter out) {
        Map<String, Compression> codecs = new LinkedHashMap<>();
        codecs.put("none", Compression.NONE);
        codecs.put("gzip", Compression.gzip().build());
        codecs.put("snappy", Compression.snappy().build());
        codecs.put("lz4", Compression.lz4().build());
        codecs.put("zstd", Compression.zstd().build());
        for (var e : codecs.entrySet()) {
            line(out, "mixed-" + e.getKey(), plain(mixed(), e.getValue()));
            if (e.getValue() != Compression.NONE)
                line(out, "large-" + e.getKey(), plain(large(), e.getValue()));
        }
        List<Rec> three = mixed().subList(0, 3);
        line(out, "idempotent", build(three, Compression.NONE, TimestampType.CREATE_TIME, -1, 4000, (short) 3,
            Integer.MAX_VALUE - 1, false));
        line(out, "transactional", build(three, Compression.NONE, TimestampType.CREATE_TIME, -1, 5000, (short) 7, 11, true));
        line(out, "append-time", build(three, Compression.NONE, TimestampType.LOG_APPEND_TIME, TIME + 5000, -1, (short) -1,
            -1, false));
        line(out, "append-time-lz4", build(three, Compression.lz4().build(), TimestampType.LOG_APPEND_TIME, TIME + 5000, -1,
            (short) -1, -1, false));
        line(out, "control", MemoryRecords.withEndTransactionMarker(42, TIME, 9, 5000, (short) 7,
            new EndTransactionMarker(ControlRecordType.COMMIT, 3)));
    }

    static void murmur2(PrintWriter out) {
        List<byte[]> keys = new ArrayList<>();
        for (String s : List.of("", "a", "ab", "abc", "abcd", "abcde", "21", "foobar", "a-little-bit-long-string",
            "a-little-bit-longer-string", "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", "h\u00e9llo"))
            keys.add(text(s));
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] key = new byte[i % 40];
            random.nextBytes(key);
            keys.add(key);
        }
        for (byte[] key : keys)
            out.println(HexFormat.of().formatHex(key) + "," + Utils.murmur2(key));
    }

    static void configs(PrintWriter out) {
        String[] values = {"", " ", "0", "1", "-1", "-2", "-3", "+5", " 7 ", "-0", "00012", "2147483647", "2147483648",
            "-2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
            "-9223372036854775809", "1048575", "1048576", "1.5", "1e3", "0x10", "abc", "1_000", "1 0", "--1", "+", "-", "true",
            "TRUE", "False", " true ", "yes", "null", "delete", "compact", "compact,delete", "delete,compact",
            " delete , compact ", "delete,", "delete,delete", "compact,delete,compact", ",", "Delete", "delete,foo", "none",
            "uncompressed", "producer", "gzip", "snappy", "lz4", "zstd", "GZIP", " gzip", "CreateTime", "LogAppendTime",
            "createtime", "0.5", ".5", "0.50", "1.0", "0.0", "-0.1", "1.1", "1.0000001", "1e-5", "1E-3", "0.001", "0.0001",
            "1.25e-2", "1.25e-7", "1e-400", "0.5f", "0.5d", "f", "0.1", "0.3333333333333333", "*", "0:1", "0:1,1:2",
            "0:1, 1:2", "0:1,", "0:", "a:b", ":1", "0:1:2", "*,*", "0:1,*", "9", "10", "17", "18", "22", "23", "-131072",
            "-131073", "2147483639", "2147483640", "3", "4"};
        ConfigDef def = LogConfig.configDefCopy();
        for (String name : new TreeSet<>(def.names())) {
            if (name.startsWith("internal."))
                continue;
            out.println(name + "\tdefault\t+" + ConfigDef.convertToString(def.defaultValues().get(name),
                def.configKeys().get(name).type));
            for (String value : values) {
                String result = "-";
                try {
                    LogConfig.validate(Map.of(name, value));
                    result = "+" + ConfigDef.convertToString(def.parse(Map.of(name, value)).get(name),
                        def.configKeys().get(name).type);
                } catch (ConfigException | InvalidConfigurationException e) {
                    // refused
                }
                out.println(name + "\t" + value + "\t" + result);
            }
        }
    }

    static void errors(PrintWriter out) {
        for (Errors e : Errors.values())
            out.println(e.code() + "," + e.name());
    }

    static void types(PrintWriter out, String of, ConfigDef def) {
        for (ConfigDef.ConfigKey key : new TreeMap<>(def.configKeys()).values())
            if (!key.internalConfig)
                out.println(of + "\t" + key.name + "\t" + key.type + "\t" + (key.hasDefault()
                    ? ConfigDef.convertToString(key.defaultValue, key.type) : "null"));
    }

    static void types(PrintWriter out) {
        types(out, "topic", LogConfig.configDefCopy());
        types(out, "broker", AbstractKafkaConfig.CONFIG_DEF);
    }

    interface Writer { void write(PrintWriter out); }

    static void file(String directory, String name, Writer writer) throws Exception {
        try (PrintWriter out = new PrintWriter(Path.of(directory, name).toFile(), StandardCharsets.UTF_8)) {
            writer.write(out);
        }
    }

    public static void main(String[] args) throws Exception {
        file(args[0], "java_batches.txt", Records::batches);
        file(args[0], "murmur2.txt", Records::murmur2);
        file(args[0], "errors.txt", Records::errors);
        file(args[0], "config_types.txt", Records::types);
        file(args[0], "topic_configs.txt", Records::configs);
    }
}
